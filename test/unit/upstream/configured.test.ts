import { expect, test } from "bun:test";

import type { ProviderType } from "../../../src/catalog/provider-type.ts";
import { providerType } from "../../../src/catalog/provider-types.ts";
import type { Env } from "../../../src/config/paths.ts";
import { absenceProblem, instancesFrom } from "../../../src/upstream/configured.ts";
import type { Instance, InstanceProblem } from "../../../src/upstream/instance.ts";
import { sampleConfig } from "./samples.ts";

type Sections = Parameters<typeof sampleConfig>[0];

const from = (sections: Sections, env: Env = {}) =>
  instancesFrom({ config: sampleConfig(sections), env });
const named = (instances: readonly Instance[], name: string) =>
  instances.find((instance) => instance.name === name);
const sourced = ({ instances }: { readonly instances: readonly Instance[] }) =>
  instances.map(({ name, source }) => `${name} ${source}`);

/** The one instance that `[providers.x]` gives. */
const only = (section: NonNullable<Sections["providers"]>[string], env: Env = {}) =>
  named(from({ providers: { x: section } }, env).instances, "x");

function known(id: string): ProviderType {
  const type = providerType(id);
  if (type === undefined) throw new Error(id);
  return type;
}

test("config comes in file order, then the environment in catalogue order, then the simulator", () => {
  const providers = {
    zz: { type: "openai-compatible", base_url: "http://127.0.0.1:1/v1" },
    groq: { api_key: "k" },
  };
  const env = { MISTRAL_API_KEY: "k", GROQ_API_KEY: "k", OPENAI_API_KEY: "k", XAI_API_KEY: " " };

  expect(sourced(from({ providers }, env))).toEqual([
    "zz config",
    "groq config",
    "openai environment",
    "mistral environment",
    "sim builtin",
  ]);
});

test("a configured instance named `sim` replaces the builtin one", () => {
  expect(sourced(from({ providers: { SIM: {} } }))).toEqual(["SIM config"]);
});

test.each<{ server: string; autoprovision?: boolean; provisioned: boolean }>([
  { server: "127.0.0.1", provisioned: true },
  { server: "::1", provisioned: true },
  { server: "localhost", provisioned: true },
  { server: "0.0.0.0", provisioned: false },
  { server: "192.168.1.4", provisioned: false },
  { server: "0.0.0.0", autoprovision: true, provisioned: true },
  { server: "127.0.0.1", autoprovision: false, provisioned: false },
])(
  "bound to $server with autoprovision $autoprovision, environment credentials make instances: $provisioned",
  ({ server, autoprovision, provisioned }) => {
    const routing = autoprovision === undefined ? {} : { autoprovision };
    const env = { OPENAI_API_KEY: "k", OLLAMA_HOST: "10.0.0.9" };

    const { instances } = from({ server: { host: server }, routing }, env);

    expect(instances.some(({ source }) => source === "environment")).toBe(provisioned);
  },
);

test("a local server's type makes no instance by itself", () => {
  expect(sourced(from({}))).toEqual(["sim builtin"]);
});

test.each<{ key: string | undefined; wants: string | null }>([
  { key: "sk-own", wants: "sk-own" },
  { key: undefined, wants: "sk-env" },
  { key: " ", wants: "sk-env" },
])("with api_key `$key` the credential is $wants", ({ key, wants }) => {
  const section = { type: "openai", ...(key === undefined ? {} : { api_key: key }) };

  expect(only(section, { OPENAI_API_KEY: " sk-env\n" })?.credential).toBe(wants);
});

test("a type with several variables takes the first that is set", () => {
  const { instances } = from({}, { GEMINI_API_KEY: "", GOOGLE_API_KEY: "b" });

  expect(named(instances, "gemini")?.credential).toBe("b");
});

test.each<{ url: string; direct: boolean }>([
  { url: "http://127.0.0.1:8000/v1", direct: true },
  { url: "http://localhost:8000/v1", direct: true },
  { url: "http://[::1]:8000/v1", direct: true },
  { url: "http://10.1.2.3/v1", direct: true },
  { url: "http://172.20.0.2/v1", direct: true },
  { url: "http://192.168.0.5/v1", direct: true },
  { url: "http://box.local/v1", direct: true },
  { url: "https://api.openai.com/v1", direct: false },
  { url: "https://172.33.0.1/v1", direct: false },
])("an instance at $url is called directly: $direct", ({ url, direct }) => {
  const env = { HTTPS_PROXY: "http://proxy:3128", HTTP_PROXY: "http://proxy:3128" };

  const instance = only({ type: "openai-compatible", base_url: url }, env);

  expect({ direct: instance?.direct, proxy: instance?.proxy }).toEqual({
    direct,
    proxy: direct ? undefined : "http://proxy:3128/",
  });
});

test("`local` makes any instance direct", () => {
  const section = { type: "openai-compatible", base_url: "https://gpu.example/v1", local: true };

  const instance = only(section, { HTTPS_PROXY: "http://proxy:3128" });

  expect({ direct: instance?.direct, proxy: instance?.proxy }).toEqual({
    direct: true,
    proxy: undefined,
  });
});

test.each<{ value: string; wants: string }>([
  { value: "10.0.0.9", wants: "http://10.0.0.9:11434/v1" },
  { value: "10.0.0.9:1234", wants: "http://10.0.0.9:1234/v1" },
  { value: ":1234", wants: "http://127.0.0.1:1234/v1" },
  { value: "0.0.0.0", wants: "http://127.0.0.1:11434/v1" },
  { value: "0.0.0.0:1234", wants: "http://127.0.0.1:1234/v1" },
  { value: "[::]:1234", wants: "http://[::1]:1234/v1" },
  { value: "[::1]", wants: "http://[::1]:11434/v1" },
  { value: "gpu-box", wants: "http://gpu-box:11434/v1" },
  { value: "http://gpu-box:1234/", wants: "http://gpu-box:1234/v1" },
  { value: "http://gpu-box", wants: "http://gpu-box/v1" },
  { value: "https://gpu.example/ollama", wants: "https://gpu.example/ollama/v1" },
  { value: "http://gpu-box:1234/v1", wants: "http://gpu-box:1234/v1" },
])("OLLAMA_HOST=$value is $wants", ({ value, wants }) => {
  const { instances } = from({}, { OLLAMA_HOST: value });

  expect(named(instances, "ollama")).toMatchObject({
    base_url: wants,
    source: "environment",
    problem: null,
  });
});

test("a configured base URL beats OLLAMA_HOST", () => {
  const section = { type: "ollama", base_url: "http://10.0.0.1:9/v1/" };

  expect(only(section, { OLLAMA_HOST: "10.0.0.9" })?.base_url).toBe("http://10.0.0.1:9/v1");
});

test.each<{ value: string; message: RegExp }>([
  { value: "169.254.169.254", message: /^`OLLAMA_HOST`: .*`169\.254\.169\.254`.*metadata/ },
  { value: "http://2852039166", message: /^`OLLAMA_HOST`: .*`169\.254\.169\.254`.*metadata/ },
  { value: "a b", message: /^`OLLAMA_HOST`: is no URL/ },
])("OLLAMA_HOST=$value is a problem that names it", ({ value, message }) => {
  const { instances, warnings } = from({}, { OLLAMA_HOST: value });
  const ollama = named(instances, "ollama");

  expect(ollama).toMatchObject({ base_url: "", problem: { code: "bad_base_url" } });
  expect(ollama?.problem?.message).toMatch(message);
  expect(warnings).toEqual([ollama?.problem?.message ?? ""]);
});

test.each<{ what: string; section: Parameters<typeof only>[0]; problem: Instance["problem"] }>([
  {
    what: "a vendor's type without a key",
    section: { type: "gemini" },
    problem: {
      code: "missing_credential",
      message:
        "`x` has no credential: set `GEMINI_API_KEY` or `GOOGLE_API_KEY` or `GOOGLE_GENERATIVE_AI_API_KEY` or `api_key` in `[providers.x]`",
    },
  },
  {
    what: "a vendor's type at this site's own server",
    section: { type: "openai", base_url: "http://127.0.0.1:9/v1" },
    problem: null,
  },
  {
    what: "a vendor's type whose credential is a configured header",
    section: { type: "openai", headers: { "Api-Key": "k" } },
    problem: null,
  },
  { what: "a local server", section: { type: "vllm" }, problem: null },
  {
    what: "a compatible server without a key",
    section: { type: "openai-compatible", base_url: "https://gpu.example/v1" },
    problem: null,
  },
  {
    what: "a compatible server without a base URL",
    section: { type: "openai-compatible" },
    problem: {
      code: "missing_base_url",
      message: "`x` has no base URL: set `base_url` in `[providers.x]`",
    },
  },
  {
    what: "a key with a line break in it",
    section: { type: "groq", api_key: "sk-a\nsk-b" },
    problem: {
      code: "bad_credential",
      message:
        "the credential of `x` holds a blank or a character beyond ASCII: correct `GROQ_API_KEY` or `api_key` in `[providers.x]`",
    },
  },
])("$what is judged by what it needs", ({ section, problem }) => {
  expect(only(section)?.problem ?? null).toEqual(problem);
});

test("timeouts are the section's own, else those of `[routing]`, in milliseconds", () => {
  const routing = { connect_timeout: "2s", idle_timeout: "1m30s" };
  const providers = { vllm: { connect_timeout: "250ms", response_timeout: "1h" } };

  const { instances } = from({ providers, routing });

  expect(named(instances, "vllm")?.timeouts).toEqual({
    connect_ms: 250,
    first_byte_ms: 120_000,
    first_token_ms: 180_000,
    response_ms: 3_600_000,
    idle_ms: 90_000,
  });
});

test("simulated instances are told apart by host and never go through a proxy", () => {
  const providers = { nimbus: { type: "sim" } };

  const { instances } = from({ providers }, { HTTP_PROXY: "http://proxy:3128" });

  expect(
    instances.map(({ base_url, direct, proxy, problem }) => ({ base_url, direct, proxy, problem })),
  ).toEqual([
    { base_url: "http://nimbus.sim.invalid/v1", direct: true, proxy: undefined, problem: null },
    { base_url: "http://sim.invalid/v1", direct: true, proxy: undefined, problem: null },
  ]);
});

test.each<{ section: Parameters<typeof only>[0]; warning: string }>([
  {
    section: { type: "vllm", base_url: "http://10.0.0.4:8000" },
    warning: "the base URL of `x` has no path: vLLM usually serves below `/v1`",
  },
  {
    section: { type: "openai-compatible", base_url: "http://gpu.example/v1", api_key: "k" },
    warning: "`x` is reached over plain HTTP: its credential travels unencrypted",
  },
])("a person is told: $warning", ({ section, warning }) => {
  expect(from({ providers: { x: section } }).warnings).toEqual([warning]);
});

test("warnings repeat no credential and no proxy password", () => {
  const env = { HTTPS_PROXY: "socks5://user:pw-secret@h:1", OPENAI_API_KEY: "sk sécret" };

  const { warnings } = from({}, env);

  expect(warnings.length).toBe(2);
  expect(warnings.join()).not.toMatch(/secret|sécret/);
});

test.each<{ id: string; env: Env; autoprovision: boolean; problem: InstanceProblem }>([
  {
    id: "groq",
    env: {},
    autoprovision: true,
    problem: {
      code: "missing_credential",
      message: "`groq` is not set up: set `GROQ_API_KEY` or add `[providers.groq]`",
    },
  },
  {
    id: "groq",
    env: { GROQ_API_KEY: "k" },
    autoprovision: false,
    problem: {
      code: "missing_credential",
      message:
        "`GROQ_API_KEY` is set, but instances are not made from the environment here: add `[providers.groq]` or set `routing.autoprovision = true`",
    },
  },
  {
    id: "ollama",
    env: {},
    autoprovision: true,
    problem: {
      code: "missing_credential",
      message: "`ollama` is not set up: set `OLLAMA_HOST` or add `[providers.ollama]`",
    },
  },
  {
    id: "openai-compatible",
    env: {},
    autoprovision: true,
    problem: {
      code: "missing_base_url",
      message:
        "`openai-compatible` needs a section of its own: add `[providers.openai-compatible]` with a `base_url`",
    },
  },
])(
  "asked for $id with autoprovision $autoprovision, the way to it is named",
  ({ id, env, autoprovision, problem }) => {
    const config = sampleConfig({ routing: { autoprovision } });

    expect(absenceProblem(known(id), { config, env })).toEqual(problem);
  },
);
