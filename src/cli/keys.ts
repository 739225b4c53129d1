import { nearestNames } from "../lib/nearest.ts";
import { type KeyFile, keyFile } from "../store/keys.ts";
import type { KeyScope, StoredKey } from "../store/store.ts";
import {
  type Command,
  CONFIG_OPTION,
  EXIT,
  JSON_OPTION,
  usageProblem,
  type Words,
} from "./command.ts";
import { databaseFile, locate } from "./setup/locate.ts";
import { readConfig } from "./setup/read-config.ts";
import type { Shell } from "./terminal/shell.ts";
import { table } from "./terminal/table.ts";

const MAX_NAME_LENGTH = 128;

export const keys: Command = {
  name: "keys",
  summary: "Make, list and revoke API keys, with the server running or not.",
  forms: [
    "create --scope client|admin [--name NAME] [--profile PROFILE] [--json]",
    "list [--json]",
    "revoke ID [--json]",
  ],
  notes: [
    "A key is shown once and stored as a hash. As soon as one exists, the server asks for keys; a",
    "running one notices within a second.",
  ].join("\n"),
  actions: ["create", "list", "revoke"],
  maxPositionals: 2,
  options: {
    scope: { value: "client|admin", description: "What the key may do (create)." },
    name: { value: "NAME", description: "Whose key it is, for the list (create)." },
    profile: {
      value: "PROFILE",
      description: "Profile of its requests that name none (create).",
    },
    config: CONFIG_OPTION,
    json: JSON_OPTION,
  },
  run: async (words, shell) => {
    const problem = wrongWords(words);
    if (problem !== null) return usageProblem(keys, problem, shell);
    const located = locate(shell, words.values["config"]);
    if (!located.ok) {
      shell.complain(`veriroute keys: ${located.problem}`);
      return EXIT.failed;
    }
    const file = keyFile(databaseFile(located.paths));
    const [action] = words.positionals;
    if (action === "create") return create(file, words, shell);
    return action === "list" ? list(file, words, shell) : revoke(file, words, shell);
  },
};

function wrongWords({ positionals: [action, id], values }: Words): string | null {
  const stray = ["scope", "name", "profile"].find((option) => values[option] !== undefined);
  if (action !== "create" && stray !== undefined) return `\`--${stray}\` goes with \`create\``;
  if (action === "revoke") {
    return id === undefined ? "say which key: veriroute keys revoke ID" : null;
  }
  if (id !== undefined) return `unexpected argument \`${id}\``;
  if (action !== "create") return null;
  if (!isScope(values["scope"]))
    return "say what the key may do: `--scope client` or `--scope admin`";
  const name = values["name"] ?? "";
  if (name.length > MAX_NAME_LENGTH) return `the name is longer than ${MAX_NAME_LENGTH} characters`;
  return /\p{Cc}/u.test(name) ? "the name holds a control character" : null;
}

function isScope(text: string | undefined): text is KeyScope {
  return text === "client" || text === "admin";
}

function create(file: KeyFile, { values, flags }: Words, shell: Shell): number {
  const { scope, profile = null } = values;
  if (!isScope(scope)) return EXIT.usage;
  const unknown = profile === null ? null : unknownProfile(profile, values["config"], shell);
  if (unknown !== null) {
    shell.complain(`veriroute keys: ${unknown}`);
    return EXIT.failed;
  }
  const name = values["name"] ?? `${scope} key`;
  const { key, stored } = file.create({ name, scope, profile }, shell.clock.now());
  if (flags.has("json")) {
    const more = profile === null ? {} : { profile };
    shell.print(JSON.stringify({ id: stored.id, key, name, scope, ...more }));
    return EXIT.ok;
  }
  shell.print(key);
  const what = profile === null ? scope : `${scope}, profile \`${profile}\``;
  shell.complain(`${stored.id} (${what}): the key above is shown this once; keep it safe`);
  return EXIT.ok;
}

/** Why a key cannot have the profile; null if file or store define it. Requests with such a key would all fail. */
function unknownProfile(name: string, flag: string | undefined, shell: Shell): string | null {
  const read = readConfig(shell, flag);
  if (!read.ok) return read.problem;
  const { result, saved } = read;
  if (!result.ok) {
    return `the config has problems, so whether it defines profile \`${name}\` is not known; \`veriroute check\` lists them`;
  }
  const known = [...Object.keys(result.config.profiles), ...(saved?.profiles ?? [])];
  if (known.includes(name)) return null;
  const near = nearestNames(name, known, 3).map((one) => `\`${one}\``);
  const hint =
    near.length === 0
      ? `define it under \`[profiles.${name}]\` or with \`PUT /admin/v1/profiles/${name}\``
      : `near it: ${near.join(", ")}`;
  return `there is no profile \`${name}\`; ${hint}`;
}

function list(file: KeyFile, { flags }: Words, shell: Shell): number {
  const stored = file.list();
  if (flags.has("json")) {
    shell.print(JSON.stringify({ items: stored.map((key) => withoutHash(key)) }));
    return EXIT.ok;
  }
  if (stored.length === 0) {
    shell.print(file.areLost() ? KEYS_LOST : "no keys: on loopback everything is open");
    return EXIT.ok;
  }
  const rows = stored.map(({ id, scope, prefix, created_at, revoked_at, profile, name }) => [
    id,
    scope,
    profile ?? "",
    `${prefix}…`,
    day(created_at),
    revoked_at === null ? "" : day(revoked_at),
    name,
  ]);
  shell.print(table([["ID", "SCOPE", "PROFILE", "KEY", "CREATED", "REVOKED", "NAME"], ...rows]));
  return EXIT.ok;
}

const KEYS_LOST =
  "the keys were lost with the database: nobody is let in until `veriroute keys create` makes new ones";

function withoutHash({ hash: _hash, ...shown }: StoredKey) {
  return shown;
}

function day(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

function revoke(file: KeyFile, { positionals, flags }: Words, shell: Shell): number {
  const [, id = ""] = positionals;
  const revoked_at = shell.clock.now();
  if (file.revoke(id, revoked_at)) {
    shell.print(flags.has("json") ? JSON.stringify({ id, revoked_at }) : `revoked ${id}`);
    if (file.list().every((key) => key.revoked_at !== null)) shell.complain(LAST_REVOKED);
    return EXIT.ok;
  }
  shell.complain(`veriroute keys: no key \`${id}\` is in use; \`veriroute keys list\` shows them`);
  return EXIT.failed;
}

const LAST_REVOKED =
  "that was the last key: unless the config sets `server.client_key` or `server.admin_key`, a server on loopback now " +
  "lets everyone on this machine in, the admin API included";
