import { ANSWER, FRAMES, httpRequest, type Kind, requestBody } from "../rig/payloads.ts";
import { connect } from "../rig/wire-client.ts";
import type { Running } from "./contestants.ts";

/** `identical`, or where the stream that came through first differs from the one that was sent. */
export async function compareStream(gateway: Running): Promise<string> {
  const came = await bodyOf(gateway, "burst");
  return firstDifference(came, FRAMES.join(""));
}

/** As `compareStream` for a whole answer, in which our own member is expected. */
export async function compareWhole(gateway: Running): Promise<string> {
  const came = await bodyOf(gateway, "whole");
  return firstDifference(came.replace(/,"veriroute":\{[^{}]*\}(?=\}\s*$)/, ""), ANSWER);
}

async function bodyOf(gateway: Running, kind: Kind): Promise<string> {
  const client = await connect(gateway.url);
  const body = await client.fetchBody(httpRequest(requestBody(kind, 200), gateway.headers));
  client.close();
  return body.toString();
}

function firstDifference(came: string, sent: string): string {
  if (came === sent) return "identical";
  let at = 0;
  while (came[at] === sent[at] && at < sent.length) at++;
  return `differs at byte ${at}: ${JSON.stringify(came.slice(at, at + 40))}`;
}
