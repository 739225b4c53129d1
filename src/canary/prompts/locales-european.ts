import type { LocalePrompts } from "./locales.ts";

/** Each asks in its own language for a few sentences of prose, and the topic stands in the nominative. */
export const EUROPEAN_PROMPTS: Readonly<Record<string, LocalePrompts>> = {
  pt: {
    frames: [
      "Escreva uma pequena cena, quatro ou cinco frases, sobre isto: {}.",
      "Me conte uma história curta para dormir, umas cinco frases. Tema: {}.",
      "Preciso de um parágrafo bonito para a minha carta à avó. Assunto: {}.",
    ],
    topics: [
      "um farol na tempestade",
      "o cheiro do pão de manhã",
      "uma viagem de trem",
      "um gato perdido no mercado",
      "o primeiro dia de chuva",
      "uma cadeira velha no quintal",
    ],
  },
  en: {
    frames: [
      "Write a little scene of four or five sentences about this: {}.",
      "Tell me a short bedtime story, five sentences or so. The subject: {}.",
      "I need one warm paragraph for a letter to my grandmother. It is about this: {}.",
    ],
    topics: [
      "a lighthouse in a storm",
      "the smell of fresh bread",
      "a journey by night train",
      "a cat lost at the market",
      "the first day of rain",
      "an old chair in the yard",
    ],
  },
  es: {
    frames: [
      "Escribe una pequeña escena de cuatro o cinco frases sobre esto: {}.",
      "Cuéntame un cuento corto para dormir, unas cinco frases. Tema: {}.",
      "Necesito un párrafo cariñoso para la carta a mi abuela. Asunto: {}.",
    ],
    topics: [
      "un faro en la tormenta",
      "el olor del pan por la mañana",
      "un viaje en tren",
      "un gato perdido en el mercado",
      "el primer día de lluvia",
      "una silla vieja en el patio",
    ],
  },
  fr: {
    frames: [
      "Écris une petite scène de quatre ou cinq phrases sur ceci : {}.",
      "Raconte-moi une courte histoire du soir, cinq phrases environ. Sujet : {}.",
      "Il me faut un joli paragraphe pour une lettre à ma grand-mère. Thème : {}.",
    ],
    topics: [
      "un phare dans la tempête",
      "l'odeur du pain le matin",
      "un voyage en train de nuit",
      "un chat perdu au marché",
      "le premier jour de pluie",
      "une vieille chaise dans la cour",
    ],
  },
  de: {
    frames: [
      "Schreib eine kleine Szene von vier oder fünf Sätzen dazu: {}.",
      "Erzähl mir eine kurze Gutenachtgeschichte, etwa fünf Sätze. Thema: {}.",
      "Ich brauche einen schönen Absatz für den Brief an meine Oma. Es geht um Folgendes: {}.",
    ],
    topics: [
      "ein Leuchtturm im Sturm",
      "der Duft von frischem Brot",
      "eine Reise mit dem Nachtzug",
      "eine verlorene Katze auf dem Markt",
      "der erste Regentag",
      "ein alter Stuhl im Hof",
    ],
  },
  it: {
    frames: [
      "Scrivi una piccola scena di quattro o cinque frasi su questo: {}.",
      "Raccontami una breve storia della buonanotte, circa cinque frasi. Tema: {}.",
      "Mi serve un paragrafo affettuoso per la lettera a mia nonna. Argomento: {}.",
    ],
    topics: [
      "un faro nella tempesta",
      "il profumo del pane al mattino",
      "un viaggio in treno",
      "un gatto smarrito al mercato",
      "il primo giorno di pioggia",
      "una vecchia sedia in cortile",
    ],
  },
  nl: {
    frames: [
      "Schrijf een kleine scène van vier of vijf zinnen hierover: {}.",
      "Vertel me een kort verhaaltje voor het slapengaan, ongeveer vijf zinnen. Onderwerp: {}.",
      "Ik heb een mooie alinea nodig voor een brief aan mijn oma. Het gaat over dit: {}.",
    ],
    topics: [
      "een vuurtoren in de storm",
      "de geur van vers brood",
      "een reis met de nachttrein",
      "een verdwaalde kat op de markt",
      "de eerste regendag",
      "een oude stoel in de tuin",
    ],
  },
  sv: {
    frames: [
      "Skriv en liten scen på fyra eller fem meningar om detta: {}.",
      "Berätta en kort godnattsaga, ungefär fem meningar. Ämne: {}.",
      "Jag behöver ett fint stycke till ett brev till min mormor. Det handlar om detta: {}.",
    ],
    topics: [
      "en fyr i stormen",
      "doften av nybakat bröd",
      "en resa med nattåget",
      "en bortsprungen katt på torget",
      "den första regndagen",
      "en gammal stol på gården",
    ],
  },
  da: {
    frames: [
      "Skriv en lille scene på fire eller fem sætninger om dette: {}.",
      "Fortæl mig en kort godnathistorie, cirka fem sætninger. Emne: {}.",
      "Jeg skal bruge et hyggeligt afsnit til et brev til min mormor. Det handler om dette: {}.",
    ],
    topics: [
      "et fyrtårn i stormen",
      "duften af friskbagt brød",
      "en rejse med nattoget",
      "en kat, der er blevet væk på torvet",
      "den første regnvejrsdag",
      "en gammel stol i gården",
    ],
  },
  pl: {
    frames: [
      "Napisz krótką scenkę, cztery lub pięć zdań. Temat: {}.",
      "Opowiedz mi krótką bajkę na dobranoc, około pięciu zdań. Temat: {}.",
      "Potrzebuję ciepłego akapitu do listu do babci. Temat: {}.",
    ],
    topics: [
      "latarnia morska w czasie burzy",
      "zapach świeżego chleba",
      "podróż nocnym pociągiem",
      "zagubiony kot na targu",
      "pierwszy deszczowy dzień",
      "stare krzesło na podwórku",
    ],
  },
  cs: {
    frames: [
      "Napiš krátkou scénku, čtyři nebo pět vět. Téma: {}.",
      "Vyprávěj mi krátkou pohádku na dobrou noc, asi pět vět. Téma: {}.",
      "Potřebuji hezký odstavec do dopisu pro babičku. Téma: {}.",
    ],
    topics: [
      "maják v bouři",
      "vůně čerstvého chleba",
      "cesta nočním vlakem",
      "ztracená kočka na trhu",
      "první deštivý den",
      "stará židle na dvoře",
    ],
  },
  ru: {
    frames: [
      "Напиши небольшую сценку, четыре-пять предложений. Тема: {}.",
      "Расскажи короткую сказку на ночь, примерно пять предложений. Тема: {}.",
      "Мне нужен тёплый абзац для письма бабушке. Тема: {}.",
    ],
    topics: [
      "маяк во время шторма",
      "запах свежего хлеба",
      "поездка на ночном поезде",
      "потерявшийся кот на рынке",
      "первый дождливый день",
      "старый стул во дворе",
    ],
  },
  uk: {
    frames: [
      "Напиши невеличку сценку, чотири-п'ять речень. Тема: {}.",
      "Розкажи коротку казку на ніч, приблизно п'ять речень. Тема: {}.",
      "Мені потрібен теплий абзац для листа бабусі. Тема: {}.",
    ],
    topics: [
      "маяк під час шторму",
      "запах свіжого хліба",
      "подорож нічним потягом",
      "загублений кіт на ринку",
      "перший дощовий день",
      "старий стілець на подвір'ї",
    ],
  },
};
