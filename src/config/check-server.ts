import { quote } from "../address/spec-fault.ts";
import { isLoopbackHost } from "./base-url.ts";
import type { CheckInput, Findings } from "./check.ts";
import type { Finding } from "./problem.ts";

export function checkServer(input: CheckInput): Findings {
  const { server } = input.config;
  const keys = (["client_key", "admin_key"] as const).flatMap((key) =>
    keyProblems(["server", key], server[key]),
  );
  const hosts = server.allowed_hosts.flatMap((host, index) =>
    finding(["server", "allowed_hosts", String(index)], hostProblem(host)),
  );
  const origins = server.cors_origins.flatMap((origin, index) =>
    finding(["server", "cors_origins", String(index)], originProblem(origin)),
  );
  const bind = finding(["server", "host"], hostProblem(server.host.replaceAll(/^\[|\]$/g, "")));
  return {
    problems: [...bind, ...(bind.length > 0 ? [] : exposure(input)), ...keys, ...hosts, ...origins],
    warnings: equalKeys(input),
  };
}

type Words = Omit<Finding, "path">;

function finding(path: readonly string[], words: Words | undefined): Finding[] {
  return words === undefined ? [] : [{ path, ...words }];
}

/** Both keys must exist before anyone but this machine can connect. */
function exposure({ config, keyScopes, hosts, isBroken }: CheckInput): Finding[] {
  const host = hosts.find((name) => !isLoopbackHost(name));
  const missing = (["client", "admin"] as const).filter(
    (scope) =>
      config.server[`${scope}_key`] === undefined &&
      !keyScopes.has(scope) &&
      !isBroken(["server", `${scope}_key`]),
  );
  if (host === undefined || missing.length === 0) return [];
  const commands = missing.map((scope) => `\`veriroute keys create --scope ${scope}\``);
  const settings = missing.map((scope) => `\`${scope}_key\``);
  return [
    {
      path: ["server", "host"],
      message: `\`${host}\` lets other machines connect, and there is no ${missing.join(" and no ")} key`,
      hint: `run ${commands.join(" and ")}, or set ${settings.join(" and ")} in \`[server]\`, or bind \`127.0.0.1\``,
    },
  ];
}

/** A key that no header can carry would lock everyone out; an empty one would let everyone in. */
export function keyProblems(path: readonly string[], key: string | undefined): Finding[] {
  if (key === undefined) return [];
  if (key === "") return [{ path, message: "is empty", hint: "give it a value or remove it" }];
  if (/^[\x21-\x7E]+$/.test(key)) return [];
  const message = "holds a blank, a line break or a character that no header can carry";
  return [{ path, message, hint: "a key is printable ASCII without blanks" }];
}

function equalKeys({ config: { server } }: CheckInput): Finding[] {
  if (server.admin_key === undefined || server.client_key !== server.admin_key) return [];
  return [
    {
      path: ["server", "client_key"],
      message: "is the same as `admin_key`, so every client is an administrator",
      hint: "use two different keys",
    },
  ];
}

function hostProblem(host: string): Words | undefined {
  const hint = "write a host name or address alone, as in `router.lan` or `127.0.0.1`";
  if (/[/@\s*]/.test(host)) return { message: `${quote(host)} is no host name`, hint };
  const bare = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  if (
    URL.canParse(`http://${bare}/`) &&
    new URL(`http://${bare}/`).port === "" &&
    !/\]:/.test(bare)
  ) {
    return undefined;
  }
  const port = /^[^:]+:\d+$/.test(host) ? " with a port" : "";
  return { message: `${quote(host)} is no host name${port}`, hint };
}

function originProblem(origin: string): Words | undefined {
  const hint = "write scheme, host and port alone, as in `https://chat.example.org`";
  if (origin === "*") return { message: "`*` would let any web page call the router", hint };
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return { message: `${quote(withoutUserinfo(origin))} is no origin`, hint };
  }
  if (url.origin === origin) return undefined;
  const message = `${quote(withoutUserinfo(origin))} is not how a browser writes the origin`;
  return { message, hint: `write \`${url.origin}\`` };
}

function withoutUserinfo(text: string): string {
  return text.replace(/\/\/[^/@]*@/, "//");
}
