/** How people write to someone they like, in many languages: short, broken sentences, names, marks of action. */
export const CHATS: readonly (readonly [language: string, text: string])[] = [
  [
    "pt",
    "*abraça você* Ah, meu amor, que saudade! Onde é que você se meteu a semana toda? O João me disse que foste à praia com a Maria... Nem me ligou, né? Tudo bem, tudo bem, eu perdoo. Mas hoje o jantar é por tua conta, viu? Tá combinado? Ótimo! Eu levo o vinho e a sobremesa.",
  ],
  [
    "es",
    "*se ríe* ¡Ay, no seas tonto! Si te lo dije mil veces: a mí no me gusta el café frío. Oye, ¿y qué pasó con tu hermano? ¿Al final se fue a Madrid o no? Me contó Lucía que vende la moto... Bueno, da igual. Ven, siéntate conmigo un rato, que la noche es joven y no tengo sueño.",
  ],
  [
    "es",
    "o me das el libro o se lo digo a tu madre e inmediatamente se acaba la fiesta. te aviso: no es una broma, es en serio. la casa no es tuya, es de todos",
  ],
  [
    "it",
    "*sospira* Ma dai, non fare così! Te l'avevo detto che sarebbe venuto anche Marco. E poi scusa, che male c'è? È solo una cena fra amici, mica un matrimonio. Su, mettiti la giacca e andiamo, che siamo già in ritardo. Prometto che non parlo di calcio, va bene?",
  ],
  [
    "fr",
    "*sourit* Ben voyons, tu es vraiment incorrigible ! On se voit demain, t'as promis. Et n'oublie pas le pain, s'te plaît, sinon ma mère va encore râler. Au fait, t'as vu Léa ? Elle m'a dit un truc super bizarre sur ton frère. Bref, on en parle ce soir chez toi, vers huit heures.",
  ],
  [
    "nl",
    "*lacht* Ach joh, doe niet zo raar! Ik heb je toch gezegd dat de trein te laat was? Nou ja, maakt niet uit. Zullen we straks even een hapje eten bij die nieuwe tent om de hoek? Ik trakteer, maar dan moet jij wel de hond uitlaten vanavond. Deal? Mooi, dan zie ik je om zeven uur.",
  ],
  [
    "de",
    "*kichert* Och Mensch, jetzt hör aber mal auf! Das war doch gar nicht so gemeint. Komm, wir gehen noch 'ne Runde um den See, ja? Der Max ist eh schon weg und die Oma schläft. Und wenn du brav bist, kauf ich dir ein Eis. Na los, zieh die Schuhe an, bevor es dunkel wird.",
  ],
  [
    "sv",
    "*skrattar* Äsch, lägg av nu! Det var ju bara på skoj. Du vet väl att jag tycker om dig ändå? Kom, vi går ner till sjön och badar innan solen går ner. Jag har packat mackor och saft. Och nej, du får inte ta med hunden den här gången, han blev ju sjuk sist.",
  ],
  [
    "no",
    "*ler* Åh, gi deg da! Det var jo bare tull. Du vet at jeg er glad i deg uansett, ikke sant? Kom, så går vi ned til vannet og bader før sola går ned. Jeg har pakka brødskiver og saft. Og nei, du får ikke ta med bikkja denne gangen, han ble jo så dårlig sist.",
  ],
  [
    "da",
    "*griner* Årh, hold nu op! Det var jo bare for sjov. Du ved da godt, at jeg kan lide dig alligevel, ikke? Kom, vi går ned til søen og bader, inden solen går ned. Jeg har pakket madder og saftevand. Og nej, du må ikke tage hunden med denne gang, han blev jo syg sidst.",
  ],
  [
    "tl",
    "*tumawa* Hay naku, tama na nga! Joke lang naman 'yon eh. Alam mo namang mahal kita, 'di ba? Tara, punta tayo sa dagat bago lumubog ang araw. May dala akong tinapay at juice. At hindi, bawal isama ang aso ngayon ha, nagkasakit kasi siya noong huli nating punta doon.",
  ],
  [
    "id",
    "*tertawa* Aduh, udah deh! Aku cuma bercanda kok. Kamu kan tahu aku sayang sama kamu. Ayo, kita ke pantai sebelum matahari terbenam. Aku udah bawa roti sama jus. Dan nggak, anjingnya nggak boleh ikut kali ini ya, soalnya dia sakit waktu terakhir kita ke sana.",
  ],
  [
    "cs",
    "*směje se* Ale no tak, nech už toho! Vždyť to byla jenom legrace. Víš přece, že tě mám stejně ráda, ne? Pojď, půjdeme k rybníku a vykoupeme se, než zapadne slunce. Mám s sebou chleba a šťávu. A ne, psa tentokrát brát nebudeme, posledně mu bylo špatně.",
  ],
  [
    "sk",
    "*smeje sa* Ale no tak, prestaň už! Veď to bol len žart. Vieš predsa, že ťa mám aj tak rada, nie? Poď, pôjdeme k jazeru a okúpeme sa, kým zapadne slnko. Mám so sebou chlieb a šťavu. A nie, psa tentoraz brať nebudeme, naposledy mu bolo zle.",
  ],
  [
    "pl",
    "*śmieje się* Oj, daj już spokój! Przecież to był tylko żart. Wiesz, że i tak cię lubię, prawda? Chodź, pójdziemy nad jezioro i popływamy, zanim zajdzie słońce. Mam kanapki i sok. I nie, psa tym razem nie bierzemy, ostatnio się rozchorował.",
  ],
  [
    "tr",
    "*güler* Aman, yeter artık! Şaka yaptım sadece. Seni sevdiğimi biliyorsun zaten, değil mi? Hadi, güneş batmadan sahile inelim. Ekmek ve meyve suyu aldım yanıma. Ve hayır, bu sefer köpeği götürmüyoruz, geçen sefer hasta olmuştu.",
  ],
  [
    "ro",
    "*râde* Hai, lasă, a fost doar o glumă! Știi că te iubesc oricum, nu-i așa? Vino, mergem la lac și facem baie până apune soarele. Am luat cu mine pâine și suc. Și nu, câinele nu vine de data asta, că ultima oară i-a fost rău.",
  ],
  [
    "vi",
    "*cười* Thôi nào, đừng giận nữa mà! Anh chỉ đùa thôi. Em biết là anh vẫn thương em mà, đúng không? Nào, mình ra biển trước khi mặt trời lặn nhé. Anh có mang bánh mì với nước ép rồi. Còn con chó thì lần này ở nhà, lần trước nó bị ốm.",
  ],
  [
    "hu",
    "*nevet* Jaj, hagyd már abba! Csak vicceltem. Tudod, hogy így is szeretlek, nem? Gyere, menjünk le a tóhoz fürdeni, mielőtt lemegy a nap. Hoztam kenyeret meg szörpöt. És nem, a kutyát most nem hozzuk, múltkor is rosszul lett.",
  ],
  [
    "fi",
    "*nauraa* No älä nyt viitsi! Sehän oli vain vitsi. Tiedäthän sinä, että pidän sinusta silti? Tule, mennään järvelle uimaan ennen kuin aurinko laskee. Otin mukaan leipää ja mehua. Ja ei, koiraa ei oteta tällä kertaa, se tuli viimeksi kipeäksi.",
  ],
  [
    "ru",
    "*смеётся* Ой, ну хватит уже! Это же была шутка. Ты ведь знаешь, что я тебя всё равно люблю? Пойдём к озеру, искупаемся, пока солнце не село. Я взяла хлеб и сок. И нет, собаку мы в этот раз не берём, ей в прошлый раз было плохо.",
  ],
  [
    "uk",
    "*сміється* Ой, та годі вже! Це ж був просто жарт. Ти ж знаєш, що я тебе все одно люблю? Ходімо до озера, скупаємося, поки сонце не сіло. Я взяла хліб і сік. І ні, собаку цього разу не беремо, минулого разу йому було зле.",
  ],
  [
    "en",
    "*grins* Oh come on, stop it already! It was only a joke, man. You know I like you anyway, don't you? Let's go down to the lake for a swim before the sun sets. I packed bread and juice. And no, the dog stays at home this time; he got sick on us last time.",
  ],
  [
    "ja",
    "*くすっと笑う* もう、いい加減にしてよ！ただの冗談だってば。それでも好きだって知ってるでしょ？OK、日が沈む前に湖まで泳ぎに行こう。パンとジュースを持ってきたよ。",
  ],
  [
    "zh-Hant",
    "*輕輕一笑* 好啦，別鬧了！我只是開玩笑而已。你知道我還是很喜歡你的，對吧？走，趁太陽下山之前我們去湖邊游泳。我帶了麵包和果汁。",
  ],
  [
    "ko",
    "*웃으며* 아, 이제 그만해! 그냥 농담이었어. 그래도 널 좋아하는 거 알지? OK, 해 지기 전에 호수에 수영하러 가자. 빵이랑 주스도 챙겼어.",
  ],
];
