import type { Harness } from "./harness.ts";
import { KEY_VARIABLE, keyText } from "./harness.ts";
import type { RouterFacts } from "./router-facts.ts";

/** Clients that are told by their environment, or in a program. */
export const SNIPPETS: readonly Harness[] = [
  {
    id: "claude-code",
    title: "Claude Code",
    file: null,
    snippet: (facts, model) =>
      exports({
        ANTHROPIC_BASE_URL: facts.url,
        ANTHROPIC_AUTH_TOKEN: keyText(facts),
        ANTHROPIC_API_KEY: "",
        ANTHROPIC_MODEL: model,
        ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
      }),
    start: () => "claude",
  },
  {
    id: "aider",
    title: "aider",
    file: null,
    snippet: (facts) =>
      exports({ OPENAI_API_BASE: `${facts.url}/v1`, OPENAI_API_KEY: keyText(facts) }),
    start: (model) => `aider --model openai/${model} --no-show-model-warnings`,
  },
  {
    id: "openai",
    title: "OpenAI SDKs",
    file: null,
    snippet: (facts) =>
      exports({ OPENAI_BASE_URL: `${facts.url}/v1`, OPENAI_API_KEY: keyText(facts) }),
    start: (model) => `new OpenAI().chat.completions.create({ model: "${model}", messages })`,
  },
  {
    id: "anthropic",
    title: "Anthropic SDKs",
    file: null,
    snippet: (facts) =>
      exports({ ANTHROPIC_BASE_URL: facts.url, ANTHROPIC_API_KEY: keyText(facts) }),
    start: (model) =>
      `new Anthropic().messages.create({ model: "${model}", max_tokens: 1024, messages })`,
  },
  {
    id: "ai-sdk",
    title: "AI SDK",
    file: null,
    snippet: (facts) =>
      [
        'import { createOpenAICompatible } from "@ai-sdk/openai-compatible";',
        "",
        `const veriroute = createOpenAICompatible({ ${members(facts)}, includeUsage: true });`,
      ].join("\n"),
    start: (model) => `generateText({ model: veriroute("${model}"), prompt })`,
  },
  {
    id: "langchain",
    title: "LangChain",
    file: null,
    snippet: (facts, model) =>
      [
        'import { ChatOpenAI } from "@langchain/openai";',
        "",
        `const model = new ChatOpenAI({ model: "${model}", apiKey: ${keyCode(facts)}, ` +
          `configuration: { baseURL: "${facts.url}/v1" } });`,
      ].join("\n"),
    start: () => 'model.invoke("Say hello")',
  },
  {
    id: "open-webui",
    title: "Open WebUI",
    file: null,
    snippet: (facts) =>
      exports({ OPENAI_API_BASE_URL: `${facts.url}/v1`, OPENAI_API_KEY: keyText(facts) }),
    start: () => "open-webui serve",
  },
];

function exports(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}="${value}"`)
    .join("\n");
}

const keyCode = ({ needs_key }: RouterFacts) =>
  needs_key ? `process.env.${KEY_VARIABLE}` : '"unused"';

const members = (facts: RouterFacts) =>
  `name: "veriroute", baseURL: "${facts.url}/v1", apiKey: ${keyCode(facts)}`;
