import { FAILURE_FACTS } from "../health/failure-facts.ts";
import type { Failure } from "../health/failure.ts";
import { bodyStrings, safeErrorText } from "../protocol/error-text.ts";
import type { ErrorDetails } from "../protocol/openai/error-envelope.ts";
import type { Instance } from "../upstream/instance.ts";
import type { Run } from "./run.ts";

/** What a client is told about a failure: the upstream's words where they are safe, else ours. */
export function clientError(
  failure: Failure,
  { run, instance }: { readonly run: Run; readonly instance: Instance },
): ErrorDetails {
  const { client_code: code } = FAILURE_FACTS[failure.kind];
  const safe =
    failure.message === null
      ? null
      : safeErrorText({
          text: failure.message,
          bodyStrings: bodyStrings(run.request.parsed),
          secrets: secretsOf(instance),
        });
  const said = safe ?? failure.reason;
  return { code, message: `\`${instance.name}\`: ${said}`, param: failure.param };
}

/** Configured headers may hold a key under any name. */
function secretsOf({ credential, headers }: Instance): string[] {
  return [...(credential === null ? [] : [credential]), ...Object.values(headers)];
}
