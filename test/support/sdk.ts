import type OpenAI from "openai";

/** Majors of the `openai` package that are in use. */
export type Major = 4 | 6 | 7;

export interface Sdk {
  readonly major: Major;
  /** Typed as the newest; a member that an older one lacks fails its tests. */
  readonly OpenAI: typeof OpenAI;
}

const PACKAGES: Readonly<Record<Major, () => Promise<{ readonly default: unknown }>>> = {
  4: () => import("openai-v4"),
  6: () => import("openai-v6"),
  7: () => import("openai"),
};

export const SDKS: readonly Sdk[] = await Promise.all([4, 6, 7].map(loadSdk));

async function loadSdk(number: number): Promise<Sdk> {
  const major = number === 4 || number === 6 ? number : 7;
  const { default: OpenAI } = await PACKAGES[major]();
  if (!isClientClass(OpenAI)) throw new Error(`openai ${major} exports no client`);
  return { major, OpenAI };
}

function isClientClass(value: unknown): value is typeof OpenAI {
  return typeof value === "function" && "InternalServerError" in value;
}

type ChatCompletions = OpenAI["chat"]["completions"];

/** Where the helper `.stream()` is: major 4 has it below `beta`. */
export function streamingCompletions(client: OpenAI): Pick<ChatCompletions, "stream"> {
  const { beta } = client;
  return hasChat(beta) ? beta.chat.completions : client.chat.completions;
}

function hasChat(beta: object): beta is { readonly chat: { completions: ChatCompletions } } {
  return "chat" in beta;
}
