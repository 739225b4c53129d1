import type { LeasePlan, LeaseSpec, Sku } from "../lease.ts";
import { VM_DIRECTORY, VM_SECRETS_FILE } from "./vm-paths.ts";

/**
 * What the launcher carries out, in order. In the commands `{python}` stands for the machine's
 * interpreter and `{model}` for the downloaded file.
 */
export interface ServerPlan {
  readonly install: readonly (readonly string[])[];
  /** Packages built for one version of torch; one built for another is removed. */
  readonly companions: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets_file: string;
  /** The variable that holds the server's own key. */
  readonly key_variable: string;
  readonly cache: { readonly directory: string; readonly key: string } | null;
  readonly download: {
    readonly commands: readonly (readonly string[])[];
    readonly directory: string;
    readonly pattern: string;
  } | null;
  readonly serve: readonly string[];
  readonly ready_url: string;
  readonly ready_limit_s: number;
  readonly poll_s: number;
}

export interface ServerRequest {
  readonly spec: LeaseSpec;
  readonly plan: LeasePlan;
  readonly served_model: string;
  /** How long loading may take. */
  readonly ready_limit_ms: number;
  /** A directory on the machine that outlives it, such as a mounted Drive; null without one. */
  readonly cache_directory: string | null;
}

/** Where the server listens on the machine, on its loopback only. */
export const SERVER_PORT = 8000;

const POLL_S = 5;
const COMPANIONS = ["torchaudio", "torchvision", "torchtext"];

/** Which environment variable carries the server's key, by what serves. */
export function keyVariable(recipe: LeasePlan["recipe"]): string {
  return recipe === "vllm" ? "VLLM_API_KEY" : "API_KEY";
}

export function serverPlan(request: ServerRequest): ServerPlan {
  const { plan, cache_directory, ready_limit_ms } = request;
  const own = plan.recipe === "vllm" ? vllm(request) : llamacpp(request);
  return {
    ...own,
    companions: COMPANIONS,
    // pip's own cache stays on the machine's disk: on a mounted drive each small file costs a second.
    environment: { PIP_CACHE_DIR: "/tmp/veriroute-pip", ...own.environment, ...plan.environment },
    secrets_file: VM_SECRETS_FILE,
    key_variable: keyVariable(plan.recipe),
    cache:
      cache_directory === null
        ? null
        : { directory: cache_directory, key: `${plan.recipe}-${plan.sku.toLowerCase()}` },
    ready_limit_s: Math.ceil(ready_limit_ms / 1000),
    poll_s: POLL_S,
  };
}

type Own = Pick<ServerPlan, "install" | "environment" | "download" | "serve" | "ready_url">;

function vllm({ spec, plan, served_model }: ServerRequest): Own {
  return {
    install: [["{python}", "-m", "pip", "install", "--quiet", "vllm"]],
    environment: {},
    download: null,
    serve: [
      ["{python}", "-m", "vllm.entrypoints.openai.api_server"],
      [`--model=${spec.repo}`],
      spec.revision === null ? [] : [`--revision=${spec.revision}`],
      [`--served-model-name=${served_model}`],
      ["--host", "127.0.0.1", "--port", String(SERVER_PORT)],
      ["--max-model-len", String(spec.ctx)],
      ["--dtype", plan.dtype],
      // Its default has changed between versions, and sizing counted on this share.
      ["--gpu-memory-utilization", String(plan.gpu_memory_utilization)],
    ].flat(),
    ready_url: `http://127.0.0.1:${SERVER_PORT}/health`,
  };
}

const GPU_ARCHITECTURE: Readonly<Record<Sku, string>> = {
  T4: "75",
  L4: "89",
  A100: "80",
  H100: "90",
  G4: "120",
};

function llamacpp({ spec, plan, served_model }: ServerRequest): Own {
  const directory = `${VM_DIRECTORY}/models`;
  const pattern = `*${ggufWord(spec.quant)}*.gguf`;
  const revision = spec.revision === null ? "None" : JSON.stringify(spec.revision);
  const download = [
    "from huggingface_hub import snapshot_download",
    `snapshot_download(${JSON.stringify(spec.repo)}, revision=${revision}, allow_patterns=[${JSON.stringify(pattern)}], local_dir=${JSON.stringify(directory)})`,
  ].join("; ");
  const packages = ["llama-cpp-python[server]", "huggingface_hub"];
  return {
    install: [["{python}", "-m", "pip", "install", "--quiet", ...packages]],
    environment: {
      // Built on the machine, for its GPU alone: for all of them it takes most of an hour.
      CMAKE_ARGS: `-DGGML_CUDA=on -DCMAKE_CUDA_ARCHITECTURES=${GPU_ARCHITECTURE[plan.sku]}`,
    },
    download: { commands: [["{python}", "-c", download]], directory, pattern },
    serve: [
      ["{python}", "-m", "llama_cpp.server", "--model", "{model}"],
      ["--host", "127.0.0.1", "--port", String(SERVER_PORT)],
      ["--n_ctx", String(spec.ctx), "--n_gpu_layers", "-1"],
      ["--model_alias", served_model],
    ].flat(),
    ready_url: `http://127.0.0.1:${SERVER_PORT}/v1/models`,
  };
}

/** Files are named `…-Q4_K_M.gguf` or `…-q4_k_m.gguf`: any letter case, for globs that know none. */
function ggufWord(quant: string | null): string {
  const word = (quant ?? "").replace(/^gguf[-_:]?/i, "");
  return word.replaceAll(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
}
