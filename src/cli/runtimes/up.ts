import { readableDuration } from "../../lib/durations.ts";
import type { RuntimeSettings } from "../../runtimes/policy/settings.ts";
import { upObstacle } from "../../runtimes/policy/up.ts";
import { nameFor, type UpWish } from "../../runtimes/up/wish.ts";
import { estimate } from "../../sizing/estimate.ts";
import type { Plan } from "../../sizing/fit.ts";
import { USD_PER_CU } from "../../sizing/gpus.ts";
import { EXIT, type Words } from "../command.ts";
import { ownServer } from "../server/own-server.ts";
import { callServer } from "../server/server-call.ts";
import { paint } from "../terminal/color.ts";
import type { Shell } from "../terminal/shell.ts";
import type { Asked } from "./asked.ts";
import { estimateText } from "./estimate-report.ts";
import { findForEstimate } from "./estimate.ts";
import { follow, lookThroughServer, type ShownRuntime } from "./follow.ts";
import { upInForeground } from "./foreground.ts";
import { sayLostSight, wordsOf } from "./lost-sight.ts";
import type { OwnRuntimes } from "./own.ts";

export interface UpRequest {
  readonly own: OwnRuntimes;
  readonly repo: string;
  readonly asked: Asked;
  readonly words: Words;
}

/** Longer than the checks before the lease take: programs, login, one listing. */
const TIMEOUT_MS = 300_000;

/** Says what it costs, then rents it: through the server that runs here, or as a server of its own. */
export async function runUp(request: UpRequest, shell: Shell): Promise<number> {
  const { words } = request;
  const wish = wishOf(request);
  const problem = await obstacle(request, wish, shell);
  if (problem !== null) return failed(problem, shell);
  if (words.flags.has("foreground")) return upInForeground(wish, words, shell);
  return rentAndFollow(request, wish, shell);
}

async function rentAndFollow(
  { own, asked, words }: UpRequest,
  wish: UpWish & { readonly name: string },
  shell: Shell,
): Promise<number> {
  const { repo, name, confirmed, without_watchdog } = wish;
  const { url } = words.values;
  const body = {
    repo,
    name,
    context: asked.context,
    ...(asked.concurrency === null ? {} : { concurrency: asked.concurrency }),
    ...(asked.quant === null ? {} : { quant: asked.quant.name }),
    ...(asked.gpu === null ? {} : { gpu: asked.gpu }),
    confirmed,
    without_watchdog,
  };
  const call = { path: "/admin/v1/runtimes", url, body, timeout_ms: TIMEOUT_MS };
  const lost = (problem: string) => sayLostSight({ own, name, url, problem }, shell);
  const answer = await callServer(call, shell);
  // One that did not answer may have begun all the same.
  if (!answer.ok && answer.status === undefined) return lost(answer.problem);
  if (!answer.ok) return failed(answer.problem, shell);
  shell.complain(`the lease is in ${own.state_dir}; the server goes on if you leave now`);
  try {
    const end = await follow(lookThroughServer({ name, url }, shell), isReady, shell);
    return tellEnd(end, { name, words }, shell);
  } catch (error) {
    return lost(wordsOf(error));
  }
}

function wishOf({ repo, asked, words }: UpRequest): UpWish & { readonly name: string } {
  return {
    ...asked,
    repo,
    name: words.values["name"] ?? nameFor(repo),
    confirmed: words.flags.has("yes"),
    without_watchdog: words.flags.has("no-watchdog"),
  };
}

/** Prints the burn rate first, then gives back why nothing is rented; null if it may be. */
async function obstacle(
  { own, repo, asked, words }: UpRequest,
  wish: UpWish & { readonly name: string },
  shell: Shell,
): Promise<string | null> {
  const { settings } = own;
  const found = await findForEstimate(repo, own, shell);
  if (!found.ok) return found.problem;
  const { facts, plans } = found;
  const today = new Date(shell.clock.now()).toISOString().slice(0, 10);
  const result = estimate({ ...asked, facts, rates: settings.rates, today });
  shell.complain(estimateText({ facts, plans, asked, result }));
  if (result.kind === "fits") shell.complain(paint(shell, "bold", burnText(result.plan, settings)));
  const { url } = words.values;
  // Another machine's server goes by its own config, and says so.
  if (url !== undefined)
    return wish.confirmed ? null : "renting costs money; add `--yes` to go ahead";
  const isForeground = words.flags.has("foreground");
  const server = ownServer(own);
  if (isForeground && server !== null) {
    return `a server runs already (pid ${server.pid}) and keeps the deadlines; leave \`--foreground\` out`;
  }
  return upObstacle({
    settings,
    name: wish.name,
    confirmed: wish.confirmed,
    supervised: isForeground || server !== null,
    gated: facts.gated,
    has_token: settings.hf_token !== null || Boolean(shell.env["HF_TOKEN"]),
    estimate: result,
  });
}

/** What it burns, and when it ends at the latest. */
function burnText({ sku, rate }: Plan, settings: RuntimeSettings): string {
  const { max_idle_ms, max_life_ms, max_compute_units } = settings;
  const ends = `released after ${readableDuration(max_idle_ms)} without a request, after ${readableDuration(max_life_ms)} in any case`;
  if (rate.cu_h === null) return `${sku} burns compute units at an unknown rate; ${ends}`;
  const whole = Math.min((rate.cu_h * max_life_ms) / 3_600_000, max_compute_units ?? Infinity);
  const most = `${whole.toFixed(2)} CU, ${(whole * USD_PER_CU).toFixed(2)} USD`;
  return `${sku} burns ~${rate.cu_h} CU an hour, ${(rate.cu_h * USD_PER_CU).toFixed(2)} USD; ${ends}: at most ~${most}`;
}

function isReady({ phase }: ShownRuntime): boolean {
  return phase === "ready";
}

/** Prints what became of it; the exit code. */
function tellEnd(
  end: ShownRuntime | null,
  { name, words }: { readonly name: string; readonly words: Words },
  shell: Shell,
): number {
  if (end === null)
    return failed(
      `the server knows of no \`${name}\` any more; \`veriroute runtimes status --check\` says what runs`,
      shell,
    );
  if (words.flags.has("json")) shell.print(JSON.stringify(end));
  if (end.phase !== "ready") {
    const why = end.error ?? end.last_event?.what ?? "it was released";
    return failed(`${name} could not be brought up: ${why}; it costs nothing any more`, shell);
  }
  if (!words.flags.has("json")) shell.print(`${name} is ready: ask for ${end.target ?? name}`);
  return EXIT.ok;
}

function failed(problem: string, shell: Shell): number {
  shell.complain(`veriroute runtimes: ${problem}`);
  return EXIT.failed;
}
