/** An everyday message in many languages, some 200 letters long where the writing has letters for sounds. */
export const TEXTS: Readonly<Record<string, string>> = {
  en: "I walked down to the harbour this morning because the bakery was still closed. An old man was mending his nets and told me that the weather would change before evening. We drank coffee together, and he laughed about my thin shoes.",
  es: "Esta mañana bajé al puerto porque la panadería todavía estaba cerrada. Un viejo remendaba sus redes y me dijo que el tiempo iba a cambiar antes de la noche. Tomamos café juntos y él se rió de mis zapatos tan finos.",
  pt: "Hoje de manhã desci até o porto porque a padaria ainda estava fechada. Um velho consertava as suas redes e me disse que o tempo ia mudar antes da noite. Tomamos café juntos, e ele riu muito dos meus sapatos tão finos.",
  fr: "Ce matin je suis descendu au port parce que la boulangerie était encore fermée. Un vieil homme réparait ses filets et m'a dit que le temps allait changer avant le soir. Nous avons bu un café ensemble et il s'est moqué de mes chaussures.",
  de: "Heute Morgen bin ich zum Hafen hinuntergegangen, weil die Bäckerei noch geschlossen war. Ein alter Mann flickte seine Netze und sagte mir, dass sich das Wetter vor dem Abend ändern werde. Wir tranken zusammen Kaffee, und er lachte über meine dünnen Schuhe.",
  it: "Stamattina sono sceso al porto perché il panificio era ancora chiuso. Un vecchio riparava le sue reti e mi ha detto che il tempo sarebbe cambiato prima di sera. Abbiamo bevuto un caffè insieme e lui ha riso delle mie scarpe così leggere.",
  nl: "Vanmorgen ben ik naar de haven gelopen omdat de bakkerij nog gesloten was. Een oude man herstelde zijn netten en vertelde me dat het weer voor de avond zou omslaan. We dronken samen koffie en hij lachte om mijn dunne schoenen.",
  sv: "I morse gick jag ner till hamnen eftersom bageriet fortfarande var stängt. En gammal man lagade sina nät och berättade att vädret skulle slå om före kvällen. Vi drack kaffe tillsammans och han skrattade åt mina tunna skor.",
  da: "I morges gik jeg ned til havnen, fordi bageriet stadig var lukket. En gammel mand lappede sine net og fortalte mig, at vejret ville skifte inden aften. Vi drak kaffe sammen, og han grinede ad mine tynde sko, som jeg havde købt i går.",
  pl: "Dziś rano zszedłem do portu, ponieważ piekarnia była jeszcze zamknięta. Stary człowiek naprawiał swoje sieci i powiedział mi, że pogoda zmieni się przed wieczorem. Wypiliśmy razem kawę, a on śmiał się z moich cienkich butów.",
  cs: "Dnes ráno jsem sešel do přístavu, protože pekárna byla ještě zavřená. Starý muž spravoval své sítě a řekl mi, že se počasí před večerem změní. Vypili jsme spolu kávu a on se smál mým tenkým botám, které jsem si koupil včera.",
  sk: "Dnes ráno som zišiel do prístavu, pretože pekáreň bola ešte zatvorená. Starý muž opravoval svoje siete a povedal mi, že sa počasie pred večerom zmení. Vypili sme spolu kávu a on sa smial na mojich tenkých topánkach, ktoré som si kúpil včera.",
  tr: "Bu sabah limana indim çünkü fırın hâlâ kapalıydı. Yaşlı bir adam ağlarını onarıyordu ve bana havanın akşamdan önce değişeceğini söyledi. Birlikte kahve içtik ve o benim ince ayakkabılarıma güldü, sonra bana eski teknesini gösterdi.",
  id: "Pagi ini saya berjalan ke pelabuhan karena toko roti masih tutup. Seorang lelaki tua sedang memperbaiki jalanya dan berkata kepada saya bahwa cuaca akan berubah sebelum malam. Kami minum kopi bersama, dan dia menertawakan sepatu saya yang tipis.",
  tl: "Kaninang umaga ay bumaba ako sa daungan dahil sarado pa ang panaderya. May isang matandang lalaki na nag-aayos ng kanyang mga lambat at sinabi niya sa akin na magbabago ang panahon bago maggabi. Nagkape kami at pinagtawanan niya ang manipis kong sapatos.",
  vi: "Sáng nay tôi đi bộ xuống bến cảng vì tiệm bánh vẫn còn đóng cửa. Một ông lão đang vá lưới và nói với tôi rằng thời tiết sẽ thay đổi trước buổi tối. Chúng tôi cùng uống cà phê, và ông ấy cười đôi giày mỏng của tôi.",
  ro: "În dimineața aceasta am coborât în port pentru că brutăria era încă închisă. Un bătrân își repara plasele și mi-a spus că vremea se va schimba înainte de seară. Am băut împreună o cafea, iar el a râs de pantofii mei subțiri.",
  hu: "Ma reggel lementem a kikötőbe, mert a pékség még zárva volt. Egy öregember a hálóit javította, és azt mondta nekem, hogy estig megváltozik az idő. Együtt megittunk egy kávét, ő pedig nevetett a vékony cipőmön.",
  fi: "Tänä aamuna kävelin satamaan, koska leipomo oli vielä kiinni. Vanha mies korjasi verkkojaan ja kertoi minulle, että sää muuttuisi ennen iltaa. Joimme yhdessä kahvia, ja hän nauroi ohuille kengilleni, jotka olin ostanut eilen.",
  ru: "Сегодня утром я спустился в порт, потому что булочная была ещё закрыта. Старик чинил свои сети и сказал мне, что погода переменится до вечера. Мы вместе выпили кофе, и он смеялся над моими тонкими ботинками.",
  uk: "Сьогодні вранці я спустився до порту, бо пекарня була ще зачинена. Старий чоловік лагодив свої сіті й сказав мені, що погода зміниться до вечора. Ми разом випили кави, і він сміявся з моїх тонких черевиків.",
  bg: "Тази сутрин слязох до пристанището, защото пекарната още беше затворена. Един старец кърпеше мрежите си и ми каза, че времето ще се промени до вечерта. Пихме заедно кафе и той се смееше на тънките ми обувки.",
  el: "Σήμερα το πρωί κατέβηκα στο λιμάνι γιατί ο φούρνος ήταν ακόμα κλειστός. Ένας γέρος μπάλωνε τα δίχτυα του και μου είπε ότι ο καιρός θα αλλάξει πριν από το βράδυ. Ήπιαμε μαζί καφέ και γέλασε με τα λεπτά μου παπούτσια.",
  ar: "نزلت هذا الصباح إلى الميناء لأن المخبز كان لا يزال مغلقا. كان رجل عجوز يصلح شباكه وقال لي إن الطقس سيتغير قبل المساء. شربنا القهوة معا وضحك من حذائي الرقيق ثم حدثني عن البحر.",
  he: "הבוקר ירדתי לנמל כי המאפייה עדיין הייתה סגורה. איש זקן תיקן את הרשתות שלו ואמר לי שמזג האוויר ישתנה לפני הערב. שתינו יחד קפה והוא צחק על הנעליים הדקות שלי ואז סיפר לי על הים.",
  hi: "आज सुबह मैं बंदरगाह तक पैदल गया क्योंकि बेकरी अभी बंद थी। एक बूढ़ा आदमी अपने जाल ठीक कर रहा था और उसने मुझे बताया कि शाम से पहले मौसम बदल जाएगा। हमने साथ में कॉफ़ी पी और वह मेरे पतले जूतों पर हँसा।",
  mr: "आज सकाळी मी बंदरावर चालत गेलो कारण बेकरी अजून बंद होती. एक म्हातारा माणूस आपली जाळी दुरुस्त करत होता आणि त्याने मला सांगितले की संध्याकाळपूर्वी हवा बदलेल. आम्ही एकत्र कॉफी प्यायलो आणि तो माझ्या पातळ बुटांवर हसला.",
  fa: "امروز صبح تا بندر پیاده رفتم چون نانوایی هنوز بسته بود. پیرمردی تورهایش را تعمیر می‌کرد و به من گفت که هوا پیش از غروب عوض می‌شود. با هم قهوه نوشیدیم و او به کفش‌های نازک من خندید.",
  th: "เช้านี้ฉันเดินลงไปที่ท่าเรือเพราะร้านขนมปังยังปิดอยู่ ชายชราคนหนึ่งกำลังซ่อมอวนและบอกฉันว่าอากาศจะเปลี่ยนก่อนค่ำ เราดื่มกาแฟด้วยกันและเขาก็หัวเราะรองเท้าบาง ๆ ของฉัน",
  ja: "今朝はパン屋がまだ閉まっていたので、港まで歩いて行きました。年老いた漁師が網を直していて、夕方までに天気が変わると教えてくれました。一緒にコーヒーを飲むと、彼は私の薄い靴を見て笑いました。",
  ko: "오늘 아침에는 빵집이 아직 닫혀 있어서 항구까지 걸어갔습니다. 한 노인이 그물을 고치면서 저녁이 되기 전에 날씨가 바뀔 거라고 말해 주었습니다. 우리는 함께 커피를 마셨고 그는 내 얇은 신발을 보고 웃었습니다.",
  "zh-Hans":
    "今天早上我走到港口，因为面包店还没有开门。一位老人正在补他的渔网，他对我说天气会在傍晚之前变坏。我们一起喝了咖啡，他笑我的鞋子太薄，然后给我讲了他年轻时出海的故事。",
  "zh-Hant":
    "今天早上我走到港口，因為麵包店還沒有開門。一位老人正在補他的漁網，他對我說天氣會在傍晚之前變壞。我們一起喝了咖啡，他笑我的鞋子太薄，然後給我講了他年輕時出海的故事。",
};

const MARKS = /[^.。।!?]+[.。।!?]?/gu;

/** Sentences of one text between those of another. */
export function interleave(base: string, foreign: string): string {
  const others = foreign.match(MARKS) ?? [];
  return (base.match(MARKS) ?? [])
    .map((sentence, at) => `${sentence} ${others[at] ?? ""}`)
    .join(" ");
}

/** What a pipe makes of a text that takes its UTF-8 for windows-1252 and encodes it again. */
export function mangle(text: string): string {
  return new TextDecoder("windows-1252").decode(new TextEncoder().encode(text));
}
