import type { LocalePrompts } from "./locales.ts";

/** Small questions that nobody needs to think about. */
export const GREETINGS: LocalePrompts = {
  frames: [
    "Quick one: give me three words that rhyme with {}.",
    "What colour would you paint a {}? One sentence is enough.",
    "I need a short, friendly name for a {}. Just one, please.",
    "Hi! What is the first thing that comes to mind when you hear the word {}?",
  ],
  topics: ["boat", "kitchen", "garden", "bicycle", "teapot", "lamp", "coat", "bridge", "drum"],
};
