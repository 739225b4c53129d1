import type { LocalePrompts } from "./locales.ts";

/** As the European ones: a few sentences of prose, asked for in the language itself. */
export const ASIAN_PROMPTS: Readonly<Record<string, LocalePrompts>> = {
  tr: {
    frames: [
      "Şu konuda dört beş cümlelik küçük bir sahne yaz: {}.",
      "Bana beş cümlelik kısa bir uyku masalı anlat. Konu: {}.",
      "Büyükanneme yazdığım mektup için sıcak bir paragraf lazım. Konu: {}.",
    ],
    topics: [
      "fırtınada bir deniz feneri",
      "sabahları taze ekmek kokusu",
      "gece treniyle yolculuk",
      "pazarda kaybolan bir kedi",
      "ilk yağmurlu gün",
      "bahçedeki eski sandalye",
    ],
  },
  id: {
    frames: [
      "Tulis adegan pendek empat atau lima kalimat tentang ini: {}.",
      "Ceritakan dongeng singkat sebelum tidur, kira-kira lima kalimat. Temanya: {}.",
      "Saya butuh satu paragraf yang hangat untuk surat kepada nenek. Temanya: {}.",
    ],
    topics: [
      "mercusuar di tengah badai",
      "aroma roti di pagi hari",
      "perjalanan dengan kereta malam",
      "kucing yang hilang di pasar",
      "hari hujan pertama",
      "kursi tua di halaman",
    ],
  },
  tl: {
    frames: [
      "Sumulat ka ng maikling eksena na may apat o limang pangungusap tungkol dito: {}.",
      "Kuwentuhan mo ako ng maikling kuwento bago matulog, mga limang pangungusap. Paksa: {}.",
      "Kailangan ko ng isang magiliw na talata para sa liham ko kay lola. Paksa: {}.",
    ],
    topics: [
      "isang parola sa gitna ng bagyo",
      "ang amoy ng tinapay sa umaga",
      "biyahe sa tren sa gabi",
      "isang pusang nawala sa palengke",
      "ang unang patak ng ulan",
      "isang lumang silya sa bakuran",
    ],
  },
  vi: {
    frames: [
      "Hãy viết một cảnh ngắn khoảng bốn đến năm câu về điều này: {}.",
      "Kể cho tôi một câu chuyện ngắn trước khi ngủ, chừng năm câu. Chủ đề: {}.",
      "Tôi cần một đoạn văn ấm áp cho bức thư gửi bà. Chủ đề: {}.",
    ],
    topics: [
      "ngọn hải đăng trong cơn bão",
      "mùi bánh mì buổi sáng",
      "một chuyến tàu đêm",
      "con mèo đi lạc ở chợ",
      "ngày mưa đầu tiên",
      "chiếc ghế cũ ngoài sân",
    ],
  },
  ar: {
    frames: [
      "اكتب مشهدا قصيرا من أربع أو خمس جمل عن هذا: {}.",
      "احك لي قصة قصيرة قبل النوم في خمس جمل تقريبا. الموضوع: {}.",
      "أحتاج إلى فقرة دافئة لرسالة إلى جدتي. الموضوع: {}.",
    ],
    topics: [
      "منارة في العاصفة",
      "رائحة الخبز في الصباح",
      "رحلة بقطار الليل",
      "قطة ضائعة في السوق",
      "أول يوم ممطر",
      "كرسي قديم في الفناء",
    ],
  },
  hi: {
    frames: [
      "इस विषय पर चार-पाँच वाक्यों का एक छोटा दृश्य लिखिए: {}।",
      "मुझे लगभग पाँच वाक्यों की सोने से पहले वाली कहानी सुनाइए। विषय: {}।",
      "दादी के नाम चिट्ठी के लिए एक प्यारा सा अनुच्छेद चाहिए। विषय: {}।",
    ],
    topics: [
      "तूफ़ान में एक प्रकाशस्तंभ",
      "सुबह ताज़ी रोटी की ख़ुशबू",
      "रात की रेलयात्रा",
      "बाज़ार में खोई हुई बिल्ली",
      "बारिश का पहला दिन",
      "आँगन की पुरानी कुर्सी",
    ],
  },
  th: {
    frames: [
      "ช่วยเขียนฉากสั้น ๆ สี่หรือห้าประโยคเกี่ยวกับเรื่องนี้: {}",
      "เล่านิทานก่อนนอนสั้น ๆ ประมาณห้าประโยคให้ฟังหน่อย เรื่อง: {}",
      "อยากได้ย่อหน้าอบอุ่นหนึ่งย่อหน้าสำหรับจดหมายถึงคุณยาย เรื่อง: {}",
    ],
    topics: [
      "ประภาคารกลางพายุ",
      "กลิ่นขนมปังยามเช้า",
      "การเดินทางด้วยรถไฟกลางคืน",
      "แมวที่หลงทางในตลาด",
      "วันแรกของหน้าฝน",
      "เก้าอี้เก่าในสวน",
    ],
  },
  ja: {
    frames: [
      "次のことについて、四、五文の短い場面を書いてください。「{}」",
      "寝る前の短いお話を五文くらいで聞かせてください。テーマは「{}」です。",
      "祖母への手紙に入れる、温かい段落を一つ書いてください。話題は「{}」です。",
    ],
    topics: [
      "嵐の中の灯台",
      "朝のパンの香り",
      "夜行列車の旅",
      "市場で迷子になった猫",
      "初めての雨の日",
      "庭の古い椅子",
    ],
  },
  ko: {
    frames: [
      "다음 주제로 네다섯 문장짜리 짧은 장면을 써 주세요: {}.",
      "잠들기 전에 들을 짧은 이야기를 다섯 문장 정도로 들려주세요. 주제: {}.",
      "할머니께 보내는 편지에 넣을 따뜻한 문단이 하나 필요해요. 주제: {}.",
    ],
    topics: [
      "폭풍 속의 등대",
      "아침의 빵 냄새",
      "밤 기차 여행",
      "시장에서 길을 잃은 고양이",
      "첫 비가 오는 날",
      "마당의 낡은 의자",
    ],
  },
  "zh-Hans": {
    frames: [
      "请就下面这个主题写一个四五句话的小场景：{}。",
      "给我讲一个大约五句话的睡前小故事。主题：{}。",
      "我想在给奶奶的信里加一段温暖的话。主题：{}。",
    ],
    topics: [
      "暴风雨中的灯塔",
      "早晨面包的香味",
      "一次夜行火车的旅程",
      "在市场里迷路的猫",
      "第一个下雨天",
      "院子里的旧椅子",
    ],
  },
  "zh-Hant": {
    frames: [
      "請就下面這個主題寫一個四五句話的小場景：{}。",
      "給我講一個大約五句話的睡前小故事。主題：{}。",
      "我想在給奶奶的信裡加一段溫暖的話。主題：{}。",
    ],
    topics: [
      "暴風雨中的燈塔",
      "早晨麵包的香味",
      "一次夜行火車的旅程",
      "在市場裡迷路的貓",
      "第一個下雨天",
      "院子裡的舊椅子",
    ],
  },
};
