/**
 * Pairs of a simplified character and its traditional form. Only characters that the other standard does
 * not write at all: `后`, `里`, `只` and their like are of both.
 */
const PAIRS =
  "这這个個们們来來说說时時会會对對过過学學国國为為还還没沒从從进進开開关關动動问問间間门門见見觉覺让讓给給话話认認识識请請谁誰语語读讀书書写寫实實总總经經长長东東车車马馬" +
  "鸟鳥鱼魚龙龍风風飞飛气氣电電脑腦网網线線连連边邊远遠迟遲运運选選头頭发發爱愛听聽声聲难難欢歡乐樂点點热熱红紅绿綠蓝藍黄黃钱錢买買卖賣医醫药藥师師岁歲岛島广廣应應该該当當" +
  "处處备備复復够夠夺奪奖獎妈媽娱娛孙孫宁寧宝寶审審宽寬宾賓导導层層属屬岗崗币幣帮幫归歸录錄忆憶忧憂怀懷态態惊驚惯慣愿願战戰户戶扫掃护護报報担擔择擇挂掛换換据據摆擺数數断斷" +
  "无無旧舊显顯晓曉术術机機权權条條样樣树樹桥橋梦夢检檢楼樓标標欧歐残殘汉漢汤湯沟溝泪淚泽澤洁潔浅淺测測济濟浓濃涛濤润潤涨漲满滿灯燈灵靈炉爐烟煙烦煩烧燒牵牽状狀独獨狱獄猎獵" +
  "环環现現画畫畅暢疗療疯瘋痒癢盐鹽监監盖蓋盘盤眯瞇码碼确確础礎祸禍离離种種积積称稱稳穩穷窮竞競笔筆签簽简簡类類紧緊纪紀约約级級纸紙细細织織终終组組结結绕繞绝絕统統继繼续續" +
  "绪緒维維绵綿综綜编編缘緣罗羅罚罰罢罷义義习習职職联聯聪聰肃肅肠腸肤膚胜勝脏臟脚腳脸臉艺藝节節苏蘇荣榮获獲萧蕭虑慮虽雖虾蝦蚁蟻蚂螞补補装裝观觀规規视視览覽触觸计計订訂训訓" +
  "议議讨討记記讲講许許论論设設访訪证證评評词詞译譯试試诗詩诚誠详詳误誤调調谈談谢謝谱譜贝貝负負财財责責败敗货貨质質贵貴贷貸费費资資赏賞赔賠赛賽赞贊趋趨跃躍践踐转轉轮輪软軟" +
  "轻輕载載较較辆輛输輸辞辭达達迈邁违違迹跡适適递遞邻鄰郑鄭释釋钟鐘钢鋼铁鐵铃鈴银銀错錯镇鎮镜鏡闭閉闲閒闹鬧阅閱队隊阳陽阴陰阶階际際陆陸陈陳险險随隨隐隱雾霧静靜顶頂项項顺順" +
  "须須顾顧预預领領题題颜顏额額饭飯饮飲饿餓馆館驱驅驾駕骂罵骗騙验驗鲜鮮鸡雞鸣鳴麦麥齐齊齿齒龟龜亲親产產亿億仅僅仓倉仪儀价價众眾优優传傳伟偉伤傷伦倫侧側债債倾傾儿兒党黨兰蘭" +
  "兴興养養兽獸军軍农農净淨凉涼减減凤鳳划劃刘劉则則创創别別剑劍剧劇劝勸办辦务務劳勞势勢区區华華协協单單卫衛压壓厅廳历歷县縣参參双雙变變号號吓嚇吗嗎启啟员員响響团團园園围圍" +
  "图圖圆圓圣聖场場坏壞块塊坚堅坛壇垒壘墙牆壮壯壳殼体體";

const SIMPLIFIED = new Set<string>();
const TRADITIONAL = new Set<string>();
for (let at = 0; at < PAIRS.length; at += 2) {
  SIMPLIFIED.add(PAIRS.charAt(at));
  TRADITIONAL.add(PAIRS.charAt(at + 1));
}

/** Characters of a Chinese text that only one standard has. */
export interface VariantCounts {
  readonly "zh-Hans": number;
  readonly "zh-Hant": number;
}

export function countVariants(text: string): VariantCounts {
  const counts = { "zh-Hans": 0, "zh-Hant": 0 };
  for (const character of text) {
    if (SIMPLIFIED.has(character)) counts["zh-Hans"]++;
    else if (TRADITIONAL.has(character)) counts["zh-Hant"]++;
  }
  return counts;
}
