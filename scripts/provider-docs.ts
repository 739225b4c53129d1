/** Writes docs/providers.md from the catalogue of provider types. */
import type { ProviderType } from "../src/catalog/provider-type.ts";
import { PROVIDER_TYPES } from "../src/catalog/provider-types.ts";
import { formatted } from "./lib/formatted.ts";

const PAGE = "docs/providers.md";

const INTRO = `# Providers

Generated from \`src/catalog/\` by \`bun scripts/provider-docs.ts\`; edit that.

On loopback a credential in the environment is enough to make its provider reachable, under the name of its type:
\`OPENAI_API_KEY\` makes \`openai:gpt-5.4\` work. Where more than one variable is listed the first that is set counts. A local
server is found on its usual port. Anything else, or a second account, is a section of the [config](configuration.md).
`;

const ADDRESSES = `## Addresses that are never called

A \`base_url\` must not be a link-local or cloud metadata address, in no spelling: they hand out the machine's own
credentials. Refused are \`169.254.0.0/16\` and \`fe80::/10\`, \`fd00:ec2::/32\` (Amazon), the single addresses and names of the
other clouds, and IPv6 addresses that hold one of these (mapped, 6to4, NAT64 with \`64:ff9b::/96\` or with a prefix of 96
bits in \`64:ff9b:1::/48\`).

A name that leads to such an address is refused when its connection is tried: before the first request to it, and again
after 60 s without a success. Not covered are what the name leads to in between (DNS rebinding, or one of several
addresses), the listing of models and balances, and calls through a proxy, which looks names up itself. Redirects are
not followed.
`;

/** The text of docs/providers.md, as the formatter leaves it. */
export function providerDocs(): string {
  const hosted = PROVIDER_TYPES.filter((type) => type.env.length > 0 && type.local_port === null);
  const local = PROVIDER_TYPES.filter(({ local_port }) => local_port !== null);
  const text = [
    INTRO,
    "## With a credential\n",
    tableOf(["type", "name", "variable", "default model"], hosted.map(hostedRow)),
    "## Local servers\n",
    tableOf(
      ["type", "name", "usual port", "moved by", "variable, if it wants a key"],
      local.map(localRow),
    ),
    "## Others\n",
    "`openai-compatible` is any server that speaks the OpenAI dialect, by its `base_url`. `sim` is the " +
      "[simulator](simulator.md).\n",
    ADDRESSES,
  ].join("\n");
  return formatted(PAGE, text);
}

const hostedRow = ({ id, name, env, default_model }: ProviderType) => [
  code([id]),
  name,
  code(env),
  default_model === null ? "" : code([default_model]),
];

const localRow = ({ id, name, env, local_port, base_url_env }: ProviderType) => [
  code([id]),
  name,
  String(local_port),
  base_url_env === null ? "" : code([base_url_env]),
  code(env),
];

const code = (texts: readonly string[]) => texts.map((text) => `\`${text}\``).join(", ");

function tableOf(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heads, heads.map(() => "---"), ...rows];
  return `${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`;
}

if (import.meta.main) await Bun.write(PAGE, providerDocs());
