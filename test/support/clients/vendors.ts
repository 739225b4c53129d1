import {
  type ScriptedUpstream,
  scriptedUpstream,
  type SeenRequest,
  type Wire as Line,
} from "../scripted-upstream.ts";
import { chatForm } from "./chat-form.ts";
import { type Form, saidBy } from "./form.ts";
import { messagesForm } from "./messages-form.ts";
import { play, type Played, type Wire } from "./played.ts";
import { responsesForm } from "./responses-form.ts";
import { seenTalk } from "./seen-talk.ts";
import { whyRefused } from "./strict-messages.ts";

const PATHS: Readonly<Record<string, Wire>> = {
  "/v1/chat/completions": "chat",
  "/v1/messages": "messages",
  "/v1/responses": "responses",
};

/** How long a vendor asks to wait, in seconds. */
const WAIT_S = 1;

/**
 * A vendor of all three dialects, whose models act out what they are named after. Its Messages side
 * turns down what Anthropic's API turns down.
 */
export function startVendors(): ScriptedUpstream {
  return scriptedUpstream((line, request) => {
    const path = request.path.replace(/\?.*$/, "");
    if (request.method === "GET") return line.json({ object: "list", data: [] });
    const body = JSON.parse(new TextDecoder().decode(request.body));
    if (path === "/v1/messages/count_tokens") return line.json({ input_tokens: 41 });
    const wire = PATHS[path];
    if (wire === undefined) return line.json({ error: { message: `no route ${path}` } }, 404);
    const refused = wire === "messages" ? whyMessagesRefused(request, body) : null;
    if (refused !== null) {
      const error = { type: "invalid_request_error", message: refused };
      return line.json({ type: "error", error }, 400);
    }
    const model = String(body.model).replace(/^claude-[^/]*\//, "");
    return answer(line, FORM_OF[wire], play(model, seenTalk(wire, body)), body.stream === true);
  });
}

const FORM_OF: Readonly<Record<Wire, Form>> = {
  chat: chatForm,
  messages: messagesForm,
  responses: responsesForm,
};

function whyMessagesRefused(
  { headers }: SeenRequest,
  body: Record<string, unknown>,
): string | null {
  if (!headers.has("anthropic-version")) return "anthropic-version: header is required";
  return whyRefused(body);
}

function answer(line: Line, form: Form, played: Played, stream: boolean): void {
  if (played.kind === "fail") {
    const { status, body } = form.failure(played.failure);
    const wait = played.failure === "rate_wait" ? { "retry-after": String(WAIT_S) } : {};
    return line.json(body, status, wait);
  }
  const said = saidBy(played);
  if (!stream) return played.kind === "hang" ? undefined : line.json(form.whole(said));
  line.sse();
  line.write(form.frames(said));
  if (played.kind === "hang") return;
  if (played.kind === "say" || played.kind === "call") line.write(form.ending(said));
  if (played.kind === "break") line.write(form.breaking);
  line.end();
}
