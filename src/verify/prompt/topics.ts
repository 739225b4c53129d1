import { ASKS_FOR_HTML, ASKS_TO_REPEAT } from "./asked-words.ts";

/**
 * What a client may ask for that explains an output which would be a fault elsewhere. Each pattern reads
 * the request in its author's words; a doubtful match excuses, so that nobody is blamed for obeying.
 */
export type Topic =
  | "character_encoding"
  | "continuation"
  | "control_characters"
  | "error_messages"
  | "html"
  | "json"
  | "languages"
  | "reasoning_tags"
  | "refusing"
  | "repeating_prompt"
  | "repetition"
  | "template_tokens"
  | "tokens"
  | "words";

export const TOPICS: Readonly<Record<Topic, RegExp>> = {
  character_encoding:
    /u\+[0-9a-f]{4}|replacement char|mojibake|encod|decod|utf-?8|utf-?16|unicode|charset|character set|latin-?1|cp1252|windows-1252|garbled|\bftfy\b/i,
  continuation:
    /\b(?:continu\w*|finish|complete|completion|fill[- ]in|fill the|next (?:word|line|part|token)|comes next|keep (?:going|writing)|go on|carry on|pick up where|resume|autocomplete|append|punctuat\w*|bracket\w*|closing|suffix|infill\w*|missing|rest of|end of the)\b|\bcontin[uú]a|\bweiter\b|\bfortsetz|\bsuite\b|продолж|续写|繼續|继续|続き|続けて|이어/i,
  control_characters:
    /\bansi\b|\bescape (?:code|sequence|char)|\besc\b|control (?:char|code|sequence)|terminal colou?r|\bnul\b|null (?:byte|char|terminat)|\bbell\b|\\x1b|\\033|\\u00/i,
  error_messages:
    /\b(?:errors?|exceptions?|api|https?|status(?: codes?)?|server|gateway|proxy|nginx|json|stack ?trace|logs?|curl|time-?outs?|upstream|downtime|outage|rate.?limit\w*|quota)\b|\b[45]\d\d\b/i,
  html: ASKS_FOR_HTML,
  json: /json|\bapi\b|\bpayloads?\b|\bschema\b|\bstructured\b|\bobjects?\b|\bendpoint\b|\berrors?\b|\bfastapi\b|\bgraphql\b|\brest\b|\bwebhook|\bfixtures?\b|\bserialis|\bserializ/i,
  languages:
    /\b(?:translat\w*|transliterat\w*|language|linguist\w*|pronounc\w*|alphabets?|scripts?|characters?|kanji|hiragana|katakana|hanzi|hangul|cyrillic|greek|latin|romanis\w*|romaniz\w*|calligraphy|word for|words? in|names?|named|called|spell\w*|etymology|native|original title|chinese|mandarin|cantonese|taiwan\w*|japan\w*|korea\w*|russia\w*|ukrain\w*|belarus\w*|bulgaria\w*|serbia\w*|macedonia\w*|mongolia\w*|kazakh\w*|arab\w*|persian|farsi|urdu|hebrew|yiddish|hindi|sanskrit|bengali|tamil|telugu|marathi|punjabi|thai\w*|lao|khmer|burmese|georgia\w*|armenia\w*|ethiop\w*|amharic|multilingual|bilingual)\b/i,
  reasoning_tags:
    /<\/?think|\bthink(?:ing)? (?:tags?|tokens?|blocks?|out loud)|\breasoning (?:models?|tags?|tokens?|traces?|blocks?)|chain.of.thought|\bdeepseek\b|\bqwq\b|\br1\b|scratchpad/i,
  refusing:
    /\b(?:declin\w*|refus\w*|reject\w*|turn(?:ing)? (?:\w+ ){0,3}down|say(?:ing)? no|excuse|apolog\w*)\b/i,
  repeating_prompt: ASKS_TO_REPEAT,
  repetition:
    /\brepeat\w*|\brepetit\w*|\bover and over\b|\bagain and again\b|\b(?:\d[\d,]*|hundreds?|thousand|many|ten|twenty|fifty|several) ?(?:x|times|copies|rows|lines|repetitions|zeros|zeroes|ones)\b|\b(?:count|list|print|write|give|generate|output|show|fill)\b.{0,60}\b(?:numbers?|digits?|zeros?|zeroes|ones|matrix|table|grid|pattern|lorem)\b|\bchant\b|\bmantra\b|\brefrain\b|\bchorus\b|\bscream\b|\bspam\b|\bascii art\b|\bbase ?64\b|\bloops?\b|\brepite|\brépète|\bwiederhol|\bripeti|\brepita|\bherhaal|powtórz|tekrarla|повтор|重复|重複|繰り返|반복/i,
  template_tokens:
    /chat ?templates?|chat ?ml\b|special tokens?|(?:stop|end|eos|bos|control) tokens?|prompt (?:format|template)|tokeni[sz]er|instruct(?:ion)? format|im_(?:start|end)|\[\/?inst\]|<\||<｜|<\/?s>|end_of_turn|\bharmony (?:format|response)|delimiters?|fine-?tun|\bjinja/i,
  tokens: /\btoken|byte.?(?:fallback|level|pair)|\bbpe\b|sentencepiece|\bhex|<0x|\bvocab/i,
  words:
    /\bwords?\b|\bkeywords?\b|\bvocabular|\blists?\b|\bnames?\b|\btags?\b|\blorem\b|\brandom\b|\bgibberish\b|\bnonsense\b|\bpassphrase|\bwithout punctuation\b|\bstream.of.consciousness\b|\bpunctuation\b/i,
};
