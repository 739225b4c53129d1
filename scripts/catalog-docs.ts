/** Writes docs/catalog.md: what model cards are, and those that come with the router. */
import type { BundledModel, CardGroup, Rates, RateSpan } from "../src/catalog/cards/card-group.ts";
import { CARD_GROUPS } from "../src/catalog/cards/card-groups.ts";
import { formatted } from "./lib/formatted.ts";

const PAGE = "docs/catalog.md";

const INTRO = `# Model cards

Generated from \`src/catalog/cards/\` by \`bun scripts/catalog-docs.ts\`; edit that.

A card says what is known of a model at one instance: its window, its longest answer, its prices and what it can do.
The window filter and \`lowest_cost\` rank by it, and each attempt of a decision records what it cost. What nobody said is
unknown, which is never zero: an unpriced target comes after every priced one, and a cost that cannot be known is null.

\`GET /admin/v1/catalog\` shows every card and where each fact comes from. The places, strongest first:

1. **Your own cards**, in the file that \`catalog.file\` names (below).
2. **Self-hosted**: Ollama, vLLM, llama.cpp, LM Studio, the simulator, and instances with \`local = true\` cost nothing.
   Models that a local Ollama passes on to its vendor's cloud (\`…:cloud\`, \`…-cloud\`) are not priced.
3. **The listing** of the instance itself, all its pages, read every ten minutes: windows and abilities where it names
   them, prices of OpenRouter, Vercel AI Gateway, Together and DeepInfra. Others name prices in units nobody states.
4. **The tables below**, by exact name, else by the name without a snapshot's date (\`gpt-5.4-2026-03-05\`). They are of the
   vendor's own API: what a host asks for the same model is only known from its listing.

## Your own cards

A table for each \`instance:model\`, or \`type:model\` for all instances of a provider type; the former wins. TOML, or JSON if
the name ends in \`.json\`. Every field may be left out.

\`\`\`toml
["nim:qwen3-30b"]
window_tokens = 131_072              # prompt and answer together
max_output_tokens = 8_192
price = { input_usd = 0.2, output_usd = 0.6, cached_input_usd = 0.02 }   # USD per million tokens
capabilities = { tools = true, vision = false, json = true, reasoning = false }
as_of = "2026-11-29"

["openai:gpt-5.4".price]
long_prompt = { above_tokens = 272_000, input_usd = 4, output_usd = 20 }
\`\`\`

Further prices are \`cache_write_usd\` and \`request_usd\`, the latter per request. The file is checked whole with the config:
every problem is named with its line, and a bad file keeps the running cards.

## What a call costs

- The target that served an attempt is priced, not the one that was asked for; a decision's cost is that of all its attempts.
- OpenRouter's own figure (\`usage.cost\`) beats any card.
- Cached input has its own price. Where that is unknown it counts as any other input, so that the cost is rather too high
  than too low. Batch, priority and flex tiers, audio, images and tools that vendors bill apart are not counted.
- An estimate, for \`lowest_cost\`, assumes 512 tokens of output, or the request's own limit if that is smaller.

## Balances

Vendors that can be asked with the API key alone are: OpenRouter, DeepSeek, DeepInfra (if paid ahead), Moonshot, NeuralWatt,
Novita, SiliconFlow, Vercel AI Gateway, Venice (with an admin key) and Poe (in points). An instance is asked every
\`balances.interval\` if it was used within the last hour, all of them while a pool's strategy is \`most_credits\`, and together
never more than \`balances.max_per_hour\` calls in an hour. An hour later a balance counts as unknown. A vendor that refuses a
call because its account is out of money sets the balance to zero at once.

\`GET /admin/v1/balances\` tells \`known\`, \`unknown\` (asked, with the reason), \`not_asked\` and \`no_probe\` apart;
\`POST /admin/v1/balances/probe\` asks now. Balances in other currencies than USD count as unknown, unless they are zero.

## Cards that come with the router

USD per million tokens. *Long* prices hold for the whole of a request whose prompt is longer than the number given.
Abilities: **t**ools, **v**ision, **j**son, **r**easoning; a capital letter says that it lacks it.
`;

/** The text of docs/catalog.md, as the formatter leaves it. */
export function catalogDocs(): string {
  return formatted(PAGE, [INTRO, ...CARD_GROUPS.map((group) => sectionOf(group))].join("\n"));
}

function sectionOf({ type, source, as_of, models }: CardGroup): string {
  const heads = ["model", "window", "output", "input $", "output $", "cached $", "long", "can"];
  const rows = models.map((model) => [
    namesOf(model),
    tokens(model.window),
    tokens(model.output),
    eachSpan(model, ({ usd }) => price(usd.input)),
    eachSpan(model, ({ usd }) => price(usd.output)),
    eachSpan(model, ({ usd }) => price(usd.cached)),
    eachSpan(model, ({ long }) => (long ? longOf(long) : "")),
    abilities(model),
  ]);
  const lines = [heads, heads.map(() => "---"), ...rows];
  const table = lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  return `### \`${type}\`\n\nAs of ${as_of}, from <${source}>.\n\n${table}\n`;
}

function namesOf({ names, as_of }: BundledModel): string {
  const listed = names.map((name) => `\`${name}\``).join(", ");
  return as_of === undefined ? listed : `${listed} (${as_of})`;
}

/** One line of a cell for each time at which another price holds. */
function eachSpan({ rates = [] }: BundledModel, show: (span: RateSpan) => string): string {
  const cells = rates.map((span) => {
    const shown = show(span);
    return shown === "" ? "" : `${shown}${whenOf(span)}`;
  });
  return cells.filter((cell) => cell !== "").join("<br>");
}

function whenOf({ from, peak_hours }: RateSpan): string {
  const hours = peak_hours?.map(([start, end]) => `${start}–${end}`).join(", ");
  const times = [from && `from ${from}`, hours && `weekdays ${hours} UTC`].filter(Boolean);
  return times.length === 0 ? "" : ` (${times.join(", ")})`;
}

const longOf = ({ above, usd }: { readonly above: number; readonly usd: Rates }) =>
  `> ${tokens(above)}: ${price(usd.input)} / ${price(usd.output)}`;

const price = (usd: number | undefined) =>
  usd === undefined ? "" : String(Number(usd.toPrecision(6)));

const tokens = (count: number | undefined) =>
  count === undefined ? "" : count.toLocaleString("en-US");

function abilities({ can = [], cannot = [] }: BundledModel): string {
  const letters = (["tools", "vision", "json", "reasoning"] as const).map((name) => {
    if (can.includes(name)) return name.charAt(0);
    return cannot.includes(name) ? name.charAt(0).toUpperCase() : "";
  });
  return letters.join("");
}

if (import.meta.main) await Bun.write(PAGE, catalogDocs());
