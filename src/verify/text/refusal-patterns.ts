import { foldBlanks } from "./fold-blanks.ts";

/**
 * How an answer in one language begins that is nothing but a refusal: apology or preamble if any, then
 * the first person, unable or unwilling, and a verb of helping, writing or going on. Texts arrive in
 * lower case, without Markdown marks, with straight apostrophes and single blanks.
 */
const PATTERNS: Readonly<Record<string, string>> = {
  en: String.raw`(?:(?:(?:i am|we are|so|really|very|truly|deeply|terribly) )*sorry|(?:my |our )?(?:sincere )?apologies|i apologi[sz]e|unfortunately|regrettably|i regret|i am afraid|i understand|i appreciate|i hear you|thank(?:s| you)|as an? (?:ai|artificial|language|responsible|assistant|large)|i am (?:just |only |simply )?an? (?:ai|artificial|language|assistant)|that(?:'s| is)|this is|it(?:'s| is) (?:not )?something|no)?(?:[^.!?\n]{0,90}?[ ,;:.!—–-])?(?:i|we) (?:(?:really|simply|just|also|therefore|must respectfully|respectfully) )?(?:cannot|can ?not|can't|won't|will not|(?:am|are) (?:not able|unable|not allowed|not permitted|not comfortable|not willing|unwilling|prohibited|programmed not)(?: to| with| from)?|won't be able to|will not be able to|must decline(?: to)?|have to decline(?: to)?|need to decline(?: to)?|decline to|refuse to|don't feel comfortable|do not feel comfortable)(?! help but)(?: (?:really|directly|actually|in good conscience|ethically|legally|be able to|also|currently))*(?: (?:help(?:ing)?|assist(?:ing)?|continu(?:e|ing)|writ(?:e|ing)|provid(?:e|ing)|creat(?:e|ing)|generat(?:e|ing)|engag(?:e|ing)|fulfil+|comply|support|participat(?:e|ing)|role-?play(?:ing)?|produc(?:e|ing)|discuss(?:ing)?|answer|complete|proceed|carry on|go along|accommodate|process|respond|describe|depict|do (?:that|this|so)|take part|share (?:that|this)|give (?:you )?(?:that|this|instructions|advice)|offer|play|act|portray|with (?:that|this)|this|that)\b|[.!]?$)`,
  fr: String.raw`(?:(?:je (?:suis|vous|te)|désolée?|navrée?|malheureusement|en tant qu|excusez|pardon|toutes mes excuses|je regrette)[^.!?\n]{0,70}?)?(?:je|j') ?(?:ne |n')(?:peux|pourrai|puis|saurais|suis pas en mesure|suis malheureusement pas en mesure|suis pas autorisée?|vais)(?! que)(?: malheureusement)?(?: pas| point)?(?: (?:de|d'|à))?(?:[^.!?\n]{0,12}?)(?:aider|continuer|écrire|rédiger|répondre|fournir|poursuivre|créer|générer|assister|participer|faire|accéder|donner suite|accompagner|produire)`,
  de: String.raw`(?:(?:es tut mir|tut mir|leider|entschuldig|bedauerlicherweise|ich bedauere|verzeih|sorry|als ki|als sprachmodell)[^.!?\n]{0,60}?)?(?:[\p{L}]+ )?(?:ich (?:kann|werde|darf|möchte)|(?:kann|werde|darf|möchte) ich)[^.!?\n]{0,40}?(?:nicht|keinen?|keine)[^.!?\n]{0,40}?(?:helfen|weiterhelfen|behilflich|fortsetzen|fortfahren|fortführen|weiterführen|weiterschreiben|schreiben|unterstützen|beantworten|erstellen|liefern|weitermachen|nachkommen|erfüllen|bereitstellen|generieren|mitmachen|teilnehmen)`,
  es: String.raw`(?:(?:lo siento|lo lamento|disculp|perdón|perdona|lamentablemente|desafortunadamente|me temo|como (?:una )?(?:ia|inteligencia|modelo))[^.!?\n]{0,60}?)?no (?:puedo|podré|me es posible|estoy en condiciones de|estoy capacitad[oa] para|soy capaz de|me siento cómod[oa])(?: [\p{L}]+){0,2}? (?:ayud|continu|escrib|proporcion|respond|cre(?:ar|arlo)|gener|seguir|asist|cumpl|particip|ofrec|realiz|atend|complac)`,
  pt: String.raw`(?:(?:sinto muito|lamento|desculp|infelizmente|peço desculpa|perdão|como (?:uma? )?(?:ia|inteligência|modelo))[^.!?\n]{0,60}?)?(?:eu )?não (?:posso|consigo|poderei|vou poder|estou (?:apt|habilitad|autorizad)[oa] a|sou capaz de|me sinto confortável)(?: (?:te|lhe|o|a|em|com))?(?: [\p{L}]+)? ?(?:ajud|continu|escrev|forne|respond|criar|gerar|prossegu|auxili|atend|particip|assist|cumprir|realizar|dar continuidade)`,
  it: String.raw`(?:(?:mi dispiace|mi spiace|spiacente|purtroppo|scusa|mi scuso|in quanto (?:ia|modello|intelligenza))[^.!?\n]{0,60}?)?(?:io )?non (?:posso|potrò|sono in grado di|mi è possibile|sono autorizzat[oa] a|riesco ad? )(?: [\p{L}]+){0,2}? ?(?:aiut|continu|scriv|forn|rispond|creare|gener|prosegui|assist|soddisf|partecip|complet|esaudi)`,
  nl: String.raw`(?:(?:het spijt|sorry|helaas|excuses|mijn excuses|als ai|als taalmodel)[^.!?\n]{0,60}?)?(?:[\p{L}]+ )?(?:ik (?:kan|mag|zal)|(?:kan|mag|zal) ik)[^.!?\n]{0,40}?(?:niet|geen)[^.!?\n]{0,40}?(?:helpen|verderhelpen|doorgaan|verdergaan|voortzetten|schrijven|beantwoorden|ondersteunen|voldoen|meewerken|maken|vervolgen|deelnemen)`,
  pl: String.raw`(?:(?:przepraszam|przykro mi|niestety|wybacz|jako (?:model|sztuczna|ai))[^.!?\n]{0,60}?)?(?:ja )?nie (?:mogę|jestem w stanie|będę mógł|będę mogła|mogę niestety|potrafię)(?: [\p{L}]+){0,3}? ?(?:pomóc|pomagać|kontynuować|napisać|pisać|odpowiedzieć|dostarczyć|stworzyć|spełnić|wygenerować|udzielić|uczestniczyć|zrealizować)`,
  ru: String.raw`(?:(?:извини|извините|простите|прости|прошу прощения|к сожалению|мне (?:очень )?жаль|сожалею|как (?:ии|языковая|искусственный))[^.!?\n]{0,60}?)?(?:но )?(?:я )?не (?:могу|смогу|в состоянии|буду|имею возможности)(?: [\p{L}]+){0,3}? ?(?:помоч|помога|продолж|написа|писать|ответ|созда|предостав|выполн|поддерж|участв|сгенерир|обсужд|содейств)`,
  uk: String.raw`(?:(?:вибач|пробач|перепрошую|на жаль|мені (?:дуже )?(?:шкода|прикро)|шкодую|як (?:ші|мовна|штучний))[^.!?\n]{0,60}?)?(?:але )?(?:я )?не (?:можу|зможу|в змозі|буду|маю змоги)(?: [\p{L}]+){0,3}? ?(?:допомог|допомага|продовж|написа|писати|відпові|створ|нада(?:ти|вати)|викона|підтрим|брати участ|взяти участ|згенер)`,
  tr: String.raw`(?:(?:üzgünüm|maalesef|ne yazık ki|özür dilerim|kusura bakma|bir yapay zek)[^.!?\n]{0,90}?|[^.!?\n]{0,60}?)(?:yardımcı ola|yardım ede|devam ede|yaza|yanıtlaya|cevaplaya|cevap vere|yanıt vere|sağlaya|oluştura|sürdüre|yerine getire|destekleye|üre?te|katıla|karşılaya)m(?:am|em|ıyorum|iyorum|ayacağım|eyeceğim|ayız|eyiz)\b`,
  id: String.raw`(?:(?:maaf|mohon maaf|sayangnya|saya minta maaf|minta maaf|dukacita|sebagai (?:ai|model|kecerdasan))[^.!?\n]{0,60}?)?(?:saya|aku|kami) (?:tidak|tak|enggak|nggak|belum) (?:bisa|dapat|mampu|boleh|diizinkan|dibenarkan)(?: [\p{L}]+){0,2}? ?(?:membantu|bantu|melanjutkan|meneruskan|teruskan|menulis|memberikan|menjawab|membuat|memenuhi|menyediakan|menghasilkan|berpartisipasi)`,
  tl: String.raw`(?:(?:paumanhin|pasensya|ikinalulungkot|sorry|patawad|bilang (?:isang )?ai)[^.!?\n]{0,60}?)?hindi (?:ko|kita|ako|kami|po ako|ko po)(?: (?:po|na|kayang|kaya|maaaring|maaari|pwedeng|puwedeng|magagawang|makakayang|makakapag|siya))*[ -]?(?:ituloy|itutuloy|maituloy|maitutuloy|tulungan|tumulong|makatulong|makakatulong|matulungan|matutulungan|magpatuloy|makapagpatuloy|ipagpatuloy|maipagpapatuloy|isulat|sumulat|makasulat|makakasulat|gawin|magagawa|sagutin|masasagot|ibigay|maibibigay|sumunod)`,
  vi: String.raw`(?:(?:xin lỗi|tôi (?:rất )?(?:xin lỗi|tiếc)|rất tiếc|thật tiếc|đáng tiếc|là (?:một )?(?:ai|mô hình|trợ lý))[^.!?\n]{0,60}?)?(?:tôi|mình|em) (?:không thể|không được phép|không có khả năng|xin từ chối|từ chối|chẳng thể)(?: [\p{L}]+){0,2}? (?:giúp|hỗ trợ|tiếp tục|viết|cung cấp|trả lời|tạo|thực hiện|đáp ứng|tham gia)`,
  sv: String.raw`(?:(?:jag är ledsen|jag beklagar|tyvärr|förlåt|ursäkta|beklagar|som (?:en )?(?:ai|språkmodell))[^.!?\n]{0,60}?)?(?:[\p{L}]+ )?(?:jag (?:kan|får|kommer)|(?:kan|får) jag)[^.!?\n]{0,30}?inte(?! vänta)[^.!?\n]{0,30}?(?:hjälpa|fortsätta|skriva|svara|bistå|tillhandahålla|skapa|delta|uppfylla|tillmötesgå|besvara)`,
  da: String.raw`(?:(?:jeg er ked|jeg beklager|beklager|desværre|dessverre|undskyld|unnskyld|som (?:en )?(?:ai|ki|sprogmodel|språkmodell))[^.!?\n]{0,60}?)?(?:[\p{L}]+ )?(?:jeg (?:kan|må|får|vil)|(?:kan|må|får) jeg)[^.!?\n]{0,30}?ikke(?! vente)[^.!?\n]{0,30}?(?:hjælpe|hjelpe|fortsætte|fortsette|skrive|svare|bistå|levere|lave|lage|deltage|delta|opfylde|oppfylle|imødekomme|imøtekomme|besvare)`,
  cs: String.raw`(?:(?:omlouvám|je mi líto|bohužel|promiň|promiňte|lituji|ospravedlňujem|je mi ľúto|žiaľ|prepáč|prepáčte|jako (?:ai|jazykový)|ako (?:ai|jazykový))[^.!?\n]{0,60}?)?(?:ale )?(?:s tím |s tým )?(?:vám |ti )?(?:nemohu|nemůžu|nejsem schop(?:en|na)|nedokážu|nemôžem|nedokážem|nie som schopn[ýá])(?: [\p{L}]+){0,3}? ?(?:pomoci|pomoct|pokračovat|napsat|psát|odpovědět|poskytnout|vytvořit|vyhovět|splnit|pomôcť|pokračovať|napísať|písať|odpovedať|poskytnúť|vytvoriť|vyhovieť|splniť)`,
  zh: String.raw`(?:(?:(?:很|非常|十分)?(?:抱歉|对不起|對不起|遗憾|遺憾|不好意思)|作为|作為)[^。！？\n]{0,30}?|我)(?:我)?(?:现在|目前|暂时|暫時|恐怕)?(?:无法|無法|不能|不便|没办法|沒辦法|没法|不会|不可以)[\u4e00-\u9fff]{0,8}?(?:协助|协作|帮助|帮|提供|继续|回答|回应|写|撰写|完成|满足|生成|创作|参与|处理|讨论|支持|执行|協助|幫助|幫|繼續|回應|寫|撰寫|滿足|創作|參與|處理|討論|執行)`,
  ja: String.raw`(?:申し訳|大変申し訳|すみません|すいません|恐れ入り|恐縮|ごめんなさい|残念ながら|あいにく|私は|私に|aiとして|そのご|そのリクエスト|このご|このリクエスト|その依頼|この依頼|ご要望|ご依頼)[^。！？\n]{0,50}?[。、]?[^。！？\n]{0,40}?(?:お応え|応え|応じ|対応|お手伝い|手伝|協力|続け|継続|回答|お答え|答え|提供|支援|手助け|書|作成|お力|お受け|参加)[^。！？\n]{0,14}?(?:できません|できかねます|いたしかねます|致しかねます|しかねます|出来ません|になれません|ません)`,
  ko: String.raw`(?:(?:대단히 |정말 )?(?:죄송|미안|유감|안타깝|저는|저로서는|ai로서|인공지능)[^.!?\n]{0,60}?|[^.!?\n]{0,20}?)(?:도와드릴|도와 드릴|도울|도와줄|제공할|제공해 드릴|제공해드릴|계속할|계속해드릴|이어갈|이어 갈|답변할|답변드릴|답변 드릴|작성할|응할|응해드릴|지원할|지원해 드릴|참여할|수행할|진행할|들어드릴|써드릴|써 드릴) ?수(?:는|가)? ?(?:없|었)`,
  ar: String.raw`(?:(?:عذر|أعتذر|آسف|معذرة|للأسف|يؤسفني|بصفتي|كنموذج)[^.!؟\n]{0,50}?)?(?:ولكن |لكن |لكني |لكنني )?(?:أنا )?(?:لا (?:أستطيع|يمكنني|أقدر|يسعني)|لن (?:أستطيع|أتمكن|يمكنني)|لست (?:قادر|قادرا|قادرة)|غير قادر|ليس بإمكاني|ليس بوسعي)[^.!؟\n]{0,25}?(?:مساعد|أساعد|متابع|أتابع|كتاب|أكتب|تقديم|أقدم|إجاب|أجيب|إكمال|أكمل|مشارك|أشارك|استمرار|أستمر|إنشاء|تلبي|ألبي|استجاب|أستجيب|توفير)`,
  hi: String.raw`(?:(?:क्षमा|माफ़|माफ|खेद|मुझे खेद|दुर्भाग्य|एक एआई|एआई)[^।!?\n]{0,60}?[,।]? ?)?(?:लेकिन |पर )?(?:मैं|हम)[^।!?\n]{0,60}?(?:मदद|सहायता|जारी|लिख|जवाब|उत्तर|प्रदान|पूरा|बना|शामिल)[^।!?\n]{0,20}?(?:नहीं|असमर्थ|अक्षम)`,
  th: String.raw`(?:(?:ขอโทษ|ขออภัย|เสียใจ|น่าเสียดาย|ในฐานะ)[^\n]{0,40}?)?(?:แต่)?(?:ฉัน|ผม|ดิฉัน|เรา|หนู)?(?:ไม่สามารถ|ไม่อาจ|ไม่ได้รับอนุญาต)[^\n]{0,20}?(?:ช่วย|ดำเนิน|เขียน|ให้|ตอบ|สร้าง|สนับสนุน|มีส่วนร่วม|เล่น|ต่อ)`,
};

const ANY = new RegExp(`^(?:${Object.values(PATTERNS).join("|")})`, "u");

/** An apology that is a sentence of its own, before the refusal. */
const APOLOGY =
  /^(?:i am (?:so |very |really )?sorry|sorry|apologies|my apologies|i apologi[sz]e|je suis désolée?|désolée?|es tut mir leid|tut mir leid|entschuldig\p{L}*|lo siento|lo lamento|perdón|disculp\p{L}*|sinto muito|desculp\p{L}*|lamento|mi dispiace|mi spiace|scusa\p{L}*|het spijt me|przepraszam|przykro mi|извини\p{L}*|прости\p{L}*|вибач\p{L}*|пробач\p{L}*|перепрошую|üzgünüm|özür dilerim|(?:mohon )?maaf|paumanhin|pasensya|xin lỗi|rất tiếc|jag är ledsen|förlåt|(?:jeg )?beklager|undskyld|unnskyld|omlouvám se|prepáč\p{L}*|je mi líto|(?:很|非常)?抱歉|对不起|對不起|(?:大変)?申し訳|すみません|ごめんなさい|(?:정말 )?(?:죄송|미안)|عذر|آسف|أعتذر|क्षमा|माफ़|माफ|मुझे खेद|ขอโทษ|ขออภัย)[^.!?。！？।\n]{0,40}[.!。！।\n]\s*/u;

/** What such an answer may add and still be one; a `but` with help behind it is none. */
const HELPS =
  /^[^.!?\n]{0,80}?[,;] (?:but|however,?) (?:here|in general|generally|typically|usually|you (?:can|could|may|might)|the |if )/;

/** Where a refusal must begin, and how far it is read. */
const ANCHOR = 260;

/** `text` begins, past its Markdown marks, as a refusal and nothing else. */
export function opensAsRefusal(text: string): boolean {
  const unmarked = text
    .slice(0, 2 * ANCHOR)
    .replaceAll(/[*_#>]/g, "")
    .replaceAll("’", "'");
  const plain = foldBlanks(unmarked)
    .trim()
    .toLowerCase()
    .replaceAll(/\bi'm\b/g, "i am")
    .replaceAll(/\bwe're\b/g, "we are");
  const unquoted = /^["“”«»「](.*)["“”«»」]$/su.exec(plain)?.[1] ?? plain;
  if (isRefusal(unquoted)) return true;
  const unapologetic = unquoted.replace(APOLOGY, "");
  return unapologetic !== unquoted && isRefusal(unapologetic);
}

function isRefusal(text: string): boolean {
  const found = ANY.exec(text.slice(0, ANCHOR));
  return found !== null && !HELPS.test(text.slice(found[0].length));
}
