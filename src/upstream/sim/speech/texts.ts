import { splitTokens } from "./tokens.ts";

/** Coprime lengths: the sentences repeat only after their product, far beyond any detector's window. */
const TIMES = [
  "At dawn",
  "Before lunch",
  "Late in the afternoon",
  "After the rain",
  "On the second evening",
  "Toward midnight",
  "When the fog lifted",
];
const WHO = [
  "the ferry pilot",
  "a retired surveyor",
  "the baker's daughter",
  "our youngest engineer",
  "the night librarian",
  "a travelling clockmaker",
  "the harbour dog",
  "an impatient botanist",
  "the lighthouse crew",
  "a quiet accountant",
  "the stationmaster",
];
const DID = [
  "found a brass key under",
  "measured the shadow of",
  "painted a small number on",
  "borrowed a lantern from",
  "left three oranges beside",
  "wrote a careful letter about",
  "heard music coming from",
  "tied a blue ribbon to",
  "counted the windows of",
  "swept the leaves away from",
  "drew a better map of",
  "dreamed again about",
  "argued politely over",
];
const WHERE = [
  "the old boathouse.",
  "the crooked bridge.",
  "a greenhouse with no door.",
  "the map room.",
  "the last tram of the line.",
];

/** The first `count` tokens of a text without an end. */
export function* storyTokens(count: number): Generator<string> {
  let left = count;
  for (let index = 0; left > 0; index++) {
    const parts = [TIMES, WHO, DID, WHERE].map((column) => column[index % column.length]);
    const sentence = `${parts[0]}, ${parts.slice(1).join(" ")}`;
    for (const token of splitTokens(index === 0 ? sentence : ` ${sentence}`)) {
      if (left-- <= 0) return;
      yield token;
    }
  }
}

const LOOPED = " The water rose, and the water fell, and nobody wrote it down.";

/** A text that falls into a loop after `after` tokens and never ends. */
export function* loopTokens(after: number): Generator<string> {
  yield* storyTokens(after);
  for (;;) yield* splitTokens(LOOPED);
}

const FOREIGN: Readonly<Record<string, string>> = {
  es: "La mañana siguiente el pueblo entero bajó al muelle para ver qué había traído la marea. Nadie quería ser el primero en hablar, así que todos miraban las cajas mojadas y esperaban. Al final una niña abrió la más pequeña y empezó a reír.",
  pt: "Na manhã seguinte a aldeia inteira desceu ao cais para ver o que a maré tinha trazido. Ninguém queria ser o primeiro a falar, por isso todos olhavam para as caixas molhadas e esperavam. No fim uma menina abriu a mais pequena e começou a rir.",
  fr: "Le lendemain matin, tout le village descendit au quai pour voir ce que la marée avait apporté. Personne ne voulait parler le premier, alors chacun regardait les caisses mouillées en attendant. Une petite fille ouvrit enfin la plus petite et se mit à rire.",
  de: "Am nächsten Morgen ging das ganze Dorf zum Anleger hinunter, um zu sehen, was die Flut gebracht hatte. Niemand wollte als Erster sprechen, also schauten alle auf die nassen Kisten und warteten. Schließlich öffnete ein Mädchen die kleinste und fing an zu lachen.",
  it: "La mattina dopo tutto il paese scese al molo per vedere che cosa avesse portato la marea. Nessuno voleva parlare per primo, così tutti guardavano le casse bagnate e aspettavano. Alla fine una bambina aprì la più piccola e si mise a ridere.",
  ru: "На следующее утро вся деревня спустилась к причалу посмотреть, что принёс прилив. Никто не хотел говорить первым, поэтому все смотрели на мокрые ящики и ждали. Наконец девочка открыла самый маленький и засмеялась.",
  zh: "第二天早上，全村的人都来到码头，想看看潮水带来了什么。谁也不愿意第一个开口，大家只是望着那些湿漉漉的箱子，静静地等着。最后，一个小女孩打开了最小的那只箱子，笑了起来。",
};

/** English for `after` tokens, then a paragraph in `language`. */
export function* driftTokens(after: number, language: string): Generator<string> {
  yield* storyTokens(after);
  yield* splitTokens(`${after === 0 ? "" : " "}${FOREIGN[language] ?? ""}`);
}

/** Typography and accents enough that a broken encoding shows all over it. */
export const TYPOGRAPHIC =
  "The café on the corner opens early — Zoë bakes at four — and its sign still says “crème brûlée, 2 €”. " +
  "It’s never crowded before eight… Señor Núñez reads the paper there, and Jürgen’s dog waits outside — naïve, patient, happy.";

export const REFUSAL = "I'm sorry, but I can't help with that request.";

/** By the `form` of `leak`. */
export const LEAKS: Readonly<Record<string, string>> = {
  template:
    "The ferry leaves at nine.<|im_end|>\n<|im_start|>user\nAnd the next one?<|im_end|>\n<|im_start|>assistant\nAt eleven.<|im_end|>",
  reasoning:
    "The user wants a departure time, and the table says nine.\n</think>\n\nThe ferry leaves at nine.",
  tool: '<tool_call>\n{"name": "lookup", "arguments": {"query": "ferry times"}}\n</tool_call>',
};

/** What a model without a visible answer was thinking. */
export const REASONING =
  "The question is short, so the answer should be short too. Let me check it once more.";
