import { ANTHROPIC_CARDS } from "./anthropic.ts";
import type { CardGroup } from "./card-group.ts";
import { DEEPSEEK_CARDS } from "./deepseek.ts";
import { GEMINI_CARDS } from "./gemini.ts";
import { MISTRAL_CARDS } from "./mistral.ts";
import { MOONSHOT_CARDS } from "./moonshot.ts";
import { OPENAI_CARDS } from "./openai.ts";
import { OTHER_CARDS } from "./other-vendors.ts";
import { XAI_CARDS } from "./xai.ts";
import { ZAI_CARDS } from "./zai.ts";

/** Every card that comes with the router. Aggregators have none: their listings say what they charge. */
export const CARD_GROUPS: readonly CardGroup[] = [
  OPENAI_CARDS,
  ANTHROPIC_CARDS,
  GEMINI_CARDS,
  XAI_CARDS,
  DEEPSEEK_CARDS,
  MISTRAL_CARDS,
  MOONSHOT_CARDS,
  ZAI_CARDS,
  ...OTHER_CARDS,
];
