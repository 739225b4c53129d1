/** Names inside the fake's directory. */
export const SERVER_FILE = "server.json";
export const CALLS_FILE = "calls.jsonl";
