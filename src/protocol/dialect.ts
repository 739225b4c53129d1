import type { TalkDialect } from "./translate/translation.ts";

/** The wire formats a client may speak, and those a target may be spoken to in. */
export type Dialect = TalkDialect | "completions" | "embeddings";

/** The path of each dialect at a provider; null where it has none. */
export type DialectPaths = Readonly<Record<Dialect, string | null>>;

/** What a request is sent as, best first: its own dialect unchanged, else by translation. */
const WIRES: Readonly<Record<Dialect, readonly Dialect[]>> = {
  chat: ["chat", "messages", "responses"],
  messages: ["messages", "chat", "responses"],
  responses: ["responses", "chat", "messages"],
  completions: ["completions"],
  embeddings: ["embeddings"],
};

/** The dialect in which a provider with these paths is sent a request; null if there is none. */
export function wireFor(dialect: Dialect, paths: DialectPaths): Dialect | null {
  return WIRES[dialect].find((wire) => paths[wire] !== null) ?? null;
}

/** Whether requests of the dialect are conversations, which can be translated. */
export function isTalk(dialect: Dialect): dialect is TalkDialect {
  return dialect === "chat" || dialect === "messages" || dialect === "responses";
}
