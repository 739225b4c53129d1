import { type Command, EXIT, JSON_OPTION } from "./command.ts";

/** Put in by the build; a run from source has none. */
declare const BUILD_VERSION: string | undefined;

export const VERSION = typeof BUILD_VERSION === "string" ? BUILD_VERSION : "0.0.0-source";

export const version: Command = {
  name: "version",
  summary: "Print the version.",
  forms: ["[--json]"],
  maxPositionals: 0,
  options: { json: JSON_OPTION },
  run: async ({ flags }, shell) => {
    const facts = {
      version: VERSION,
      bun: Bun.version,
      platform: process.platform,
      arch: process.arch,
    };
    shell.print(flags.has("json") ? JSON.stringify(facts) : `veriroute ${VERSION}`);
    return EXIT.ok;
  },
};
