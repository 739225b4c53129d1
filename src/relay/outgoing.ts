import type { Target } from "../address/target.ts";
import { outgoingBody } from "../protocol/openai/outgoing.ts";
import type { Instance } from "../upstream/instance.ts";
import { outboundHeaders } from "../upstream/outbound-headers.ts";
import type { RelayDependencies } from "./dependencies.ts";
import type { Run } from "./run.ts";

interface Outgoing {
  readonly run: Run;
  readonly instance: Instance;
  readonly target: Target;
}

/** Path, headers and body of one upstream call. */
export function outgoing(
  { identity, learned }: RelayDependencies,
  { run, instance, target }: Outgoing,
): { path: string; headers: Headers; body: Uint8Array<ArrayBuffer> } {
  const { request, stream, open, members } = run;
  const { quirks, paths } = instance.type;
  const { bytes, edits } = outgoingBody(
    {
      bytes: request.body,
      open,
      members,
      parsed: request.parsed,
      dialect: request.dialect,
      stream,
    },
    {
      model: target.model,
      params: target.params,
      accepts_stream_options: learned.takesStreamOptions(instance),
      accepts_encoding_format: quirks.encoding_format,
    },
  );
  for (const edit of edits) run.entry.edit(edit);
  const headers = outboundHeaders({
    instance,
    identity,
    endpoint: request.dialect,
    stream,
    client: request.headers,
  });
  // A plan never holds a target whose provider lacks the path.
  return { path: paths[request.dialect] ?? "", headers, body: bytes };
}
