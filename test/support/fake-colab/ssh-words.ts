export interface SshWords {
  readonly proxy_command: string;
  readonly identity: string;
  readonly local_port: number;
}

/** What the fakes of ssh need of its command line. */
export function readSshWords(args: readonly string[]): SshWords {
  const proxy = args.find((word) => word.startsWith("ProxyCommand=")) ?? "";
  const forward = args[args.indexOf("-L") + 1] ?? "";
  return {
    proxy_command: proxy.slice("ProxyCommand=".length),
    identity: args[args.indexOf("-i") + 1] ?? "",
    local_port: Number(forward.split(":")[1]),
  };
}
