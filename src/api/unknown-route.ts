import { likelyName } from "../lib/nearest.ts";
import { quoted, type Refusal } from "./refusal.ts";

export interface KnownRoute {
  readonly method: string;
  readonly path: string;
}

/** Matches what a route pattern matches: `:name` is one segment, `*` the rest. */
function patternOf(path: string): RegExp {
  const source = path
    .split("/")
    .map((part) => {
      if (part.startsWith(":")) return "[^/]+";
      return part === "*" ? ".+" : RegExp.escape(part);
    })
    .join("/");
  return new RegExp(`^${source}/?$`);
}

/** What to say about a request that no route takes: 405 with `allow` on a known path, else 404. */
export function refuseUnknown(
  { method, path }: KnownRoute,
  routes: readonly KnownRoute[],
): Refusal {
  const here = routes.filter((route) => patternOf(route.path).test(path));
  if (here.length > 0) {
    const methods = [...new Set(here.map((route) => route.method))];
    const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : [])].join(", ");
    return {
      code: "method_not_allowed",
      message: `${quoted(path)} takes ${allow}, not ${quoted(method)}.`,
      headers: { allow },
    };
  }
  const paths = routes.map((route) => route.path).filter((known) => !known.includes("*"));
  const near = likelyName(path, paths);
  const hint =
    near === undefined ? "`GET /swagger` shows what there is." : `Did you mean ${quoted(near)}?`;
  return { code: "not_found", message: `There is no route ${quoted(path)}. ${hint}` };
}
