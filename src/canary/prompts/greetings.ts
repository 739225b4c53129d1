import type { LocalePrompts } from "./locales.ts";

/** Small questions that nobody needs to think about. */
export const GREETINGS: LocalePrompts = {
  frames: [
    "Quick one: what rhymes with {}? Three ideas are plenty.",
    "What colour would you paint a {}? One sentence is enough.",
    "What would you call a {} that belongs to a pirate? Just one idea, please.",
    "Hi! What is the first thing that comes to mind when you think of a {}?",
  ],
  topics: ["boat", "kitchen", "garden", "bicycle", "teapot", "lamp", "coat", "bridge", "drum"],
};
