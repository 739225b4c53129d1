import { createSession } from "./sqlite/session.ts";

declare const self: Worker;

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- Threads have no origin.
const receive = createSession((message) => self.postMessage(message));
self.addEventListener("message", ({ data: message }) => receive(message));
