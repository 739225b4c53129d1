import { parseDuration } from "../lib/durations.ts";
import { nearestNames } from "../lib/nearest.ts";
import { SIGNATURES } from "../verify/signatures/table.ts";
import { isMetadataHost } from "./base-url.ts";
import type { CheckInput, Findings } from "./check.ts";
import type { Finding } from "./problem.ts";

/** Signatures that exist, benches that fit each other, and receivers that can be reached. */
export function checkVerifier(input: CheckInput): Findings {
  const { notifications } = input.config;
  return {
    problems: [
      ...benchProblems(input),
      ...signatureProblems(input),
      ...Object.keys(notifications).flatMap((name) => receiverProblems(name, input)),
    ],
    warnings: [],
  };
}

function benchProblems({ config: { verifier } }: CheckInput): Finding[] {
  const [bench = 0, cap = 0] = [parseDuration(verifier.bench), parseDuration(verifier.bench_cap)];
  if (bench <= cap) return [];
  const message = `\`${verifier.bench}\` is longer than \`verifier.bench_cap\`, \`${verifier.bench_cap}\``;
  return [{ path: ["verifier", "bench"], message, hint: "raise `bench_cap` or lower `bench`" }];
}

function signatureProblems({ config: { verifier } }: CheckInput): Finding[] {
  const names = SIGNATURES.map(({ name }) => name);
  return verifier.ignore.flatMap((name, index) => {
    if (names.includes(name)) return [];
    const [near] = nearestNames(name, names, 1);
    const hint = near === undefined ? `known: ${names.join(", ")}` : `did you mean \`${near}\`?`;
    const path = ["verifier", "ignore", String(index)];
    return [{ path, message: `\`${name}\` is no signature`, hint }];
  });
}

/** The URL itself stays out of every message: it may be all the secret there is. */
function receiverProblems(name: string, { config, isBroken }: CheckInput): Finding[] {
  const path = ["notifications", name, "url"];
  const text = config.notifications[name]?.url;
  if (isBroken(path)) return [];
  if (text === undefined) {
    return [{ path, message: "is missing", hint: "say where notices are to be posted" }];
  }
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return [{ path, message: "is no URL that starts with `http://` or `https://`" }];
  }
  if (url.username !== "" || url.password !== "") {
    const hint = "put what it takes into `token`";
    return [{ path, message: "holds a user name or password", hint }];
  }
  if (!isMetadataHost(url.hostname)) return [];
  return [{ path, message: "leads to a link-local or cloud metadata address" }];
}
