/** Model names that one vendor alone serves under its own API, by shape. First match wins. */
const OWNERS: readonly (readonly [owner: string, names: RegExp])[] = [
  [
    "openai",
    /^(gpt-(?!oss)|chatgpt-|o\d(-|$)|codex-|text-embedding-(3-|ada-002)|davinci-|babbage-)/,
  ],
  ["anthropic", /^claude-/],
  ["gemini", /^gemini-/],
  ["xai", /^grok-/],
  ["deepseek", /^deepseek-(chat|reasoner|v\d)/],
  [
    "mistral",
    /^(mistral-(large|medium|small|tiny|embed|ocr)|open-mi[sx]tral|ministral|codestral|devstral|magistral|pixtral|voxtral)/,
  ],
  ["perplexity", /^sonar(-|$)/],
  ["moonshot", /^(kimi-k\d|moonshot-v\d)/],
  ["zai", /^glm-\d/],
  ["cohere", /^(command-(a|r)|embed-(english|multilingual|v\d))/],
  ["alibaba", /^qwen-(max|plus|turbo|flash|long)/],
];

/**
 * The provider type whose own API serves a bare model name, null if the name does not tell. Names
 * with `/` belong to hosts, names with `:` are tags of a local server.
 */
export function modelOwner(name: string): string | null {
  if (/[/:]/.test(name)) return null;
  return OWNERS.find(([, names]) => names.test(name.toLowerCase()))?.[0] ?? null;
}
