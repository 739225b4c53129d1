/**
 * Words of requests by language, where what is asked for has no name of its own that people share. A word
 * that also means something else stands with its company, as far as that is cheap.
 */

/** In every language. */
const TERMS = [
  String.raw`\bhtml\d?\b|\bx(?:ht)?ml\b|\bsvg\b|\bcss\b|\bmark-?up\b|\btemplates?\b|\bfront-?end\b`,
  String.raw`\bjavascript\b|\breact(?:js| app| component)|\btailwind\b|\bnginx\b`,
  String.raw`<(?:html|head|body|div|form|table)\b`,
];

const PAGES: Readonly<Record<string, readonly string[]>> = {
  any: TERMS,
  en: [
    String.raw`\bweb ?(?:page|site|app|form)s?\b|\bhome ?page\b|\blanding page\b`,
    String.raw`\b(?:error|[45]\d\d|log-?in|sign-?(?:in|up)|contact|status|maintenance|coming.soon|under.construction|splash|welcome|start|index|single|static)[- ]pages?\b`,
    String.raw`\b(?:build|make|create|write|design|code|generate|mock ?up)\b[^.!?\n]{0,60}\b(?:page|site|newsletter|form)\b(?! (?:of|about|on|essay|long))`,
    String.raw`\bin (?:a|my|the|any) browser\b`,
  ],
  fr: [String.raw`page (?:web|d['’](?:accueil|erreur))|\bsite (?:web|internet)\b`],
  de: ["web-?seite|internetseite|(?:start|fehler)seite"],
  es: [String.raw`página (?:web|inicial|de (?:error|inicio|login))|\bsitio web\b`],
  pt: [String.raw`página de erro|\b(?:um|meu|seu) site\b`],
  it: [String.raw`pagina (?:web|di errore)|\bsito\b`],
  nl: ["(?:web|fout)pagina"],
  pl: [String.raw`stron\p{L}* (?:internetow|www|główn|błęd)`],
  ru: [String.raw`веб-?стр|страниц\p{L}* (?:ошиб|сайт|вход|регистр)|сайт|в[её]рст|лендинг`],
  uk: [String.raw`вебсторінк|сторінк\p{L}* (?:помилк|сайт|вход)`],
  tr: ["(?:web|hata|giriş|ana) sayfa"],
  vi: ["trang web"],
  id: [String.raw`halaman (?:web|utama)|\bsitus\b`],
  zh: ["[网網][页頁站]|页面|頁面|[主首][页頁]"],
  ja: [String.raw`ウェブ|サイト|(?<![\d０-９] ?)ページ`],
  ko: [String.raw`웹|사이트|(?<!\d ?)페이지`],
  ar: ["صفحة (?:ويب|خطأ|هبوط|رئيسية)|موقع (?:ويب|إلكتروني)"],
  hi: ["वेब|पेज"],
  th: ["เว็บ"],
};

const REPEATING: Readonly<Record<string, readonly string[]>> = {
  en: [
    String.raw`\brepeat\w*|\becho\w*|\bcop(?:y|ies)\b|\bparrot|\bmirror|\brecite|\breproduce\b|\bretype\b`,
    String.raw`\bverbatim\b|\bword for word\b|\bexactly\b|\bunchanged\b|\bas[- ]is\b|\bafter me\b|\bsay\b`,
    String.raw`\bsame (?:text|words?|thing|message|sentence)\b|\b(?:read|send|give)\b.{0,30}\bback\b`,
    String.raw`\bproof-?read|\bcorrect(?:ed|ing|ions?)?\b|\bgrammar\b|\bspell|\btypos?\b|\bpolish|\bedit(?:ed|ing)?\b`,
    String.raw`\btrans(?:lat|cri)|\blocali[sz]|\brewrite|\brephras|\bparaphras|\bformat\b|\bquote\b`,
    String.raw`\breturn (?:the|this|my)\b|\b(?:print|type|output) (?:this|my)\b`,
  ],
  fr: ["rép[èé]t|recopi|mot pour mot|mot à mot|textuellement|orthograph"],
  de: [
    "wiederhol|wörtlich|wort für wort|sprich .{0,20}nach|unverändert",
    "korrig|korrektur|übersetz|rechtschreib",
  ],
  "es pt it": [
    String.raw`\brep[ei]t|\bripet|\bcopi[ae]\b|(?:palabra por palabra|palavra por palavra|parola per parola)`,
    String.raw`textualmente|ortogr|\bcorri[gj]|\bcorregg|\btradu`,
  ],
  nl: ["herhaal|woord voor woord|overtyp|vertaal"],
  pl: ["powt[óo]rz|przepisz|słowo w słowo|popraw|przet[łl]umacz"],
  "ru uk": [
    "повтор|скоп|перепи[шс]|слово в слово|дословно|дослівно",
    "исправ|виправ|перевед|переклад",
  ],
  tr: ["tekrarla|aynen|kelimesi kelimesine|düzelt|çevir"],
  vi: [String.raw`lặp lại|nhắc lại|nguyên văn|\bdịch\b`],
  id: [String.raw`\bulangi|\bsalin\b|terjemah`],
  zh: ["重[复複]|[复複]述|复制|複製|照抄|原[样樣]|逐字", "改正|[纠糾]正|校[对對]|翻[译譯]"],
  ja: ["繰り返|くりかえ|復唱|オウム返し|そのまま|一字一句", "校正|添削|訂正|翻訳|訳して"],
  ko: ["반복|따라 ?(?:해|하|말|읽|써|쓰)|그대로|복사|교정|맞춤법|번역"],
  ar: ["كر\u0651?ر|حرفي|صح\u0651?ح|ترجم"],
  hi: ["दोहरा|दुहरा|अनुवाद"],
  th: ["ทวน|พูดตาม|คัดลอก|แปล"],
};

const anyOf = (words: Readonly<Record<string, readonly string[]>>) =>
  new RegExp(Object.values(words).flat().join("|"), "iu");

/** HTML, and what is written in it. */
export const ASKS_FOR_HTML = anyOf(PAGES);

/** The prompt again, or something that may come out as the same. */
export const ASKS_TO_REPEAT = anyOf(REPEATING);
