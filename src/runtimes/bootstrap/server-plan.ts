import type { LeasePlan, LeaseSpec } from "../lease-plan.ts";
import type { Sku } from "../lease.ts";
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
  readonly baked: SentParts | null;
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

/** What was prepared elsewhere, as it lies on the machine. */
export interface SentParts {
  /** The interpreter that it is for, such as `3.13`. */
  readonly python: string;
  /** Together, in this order, an archive of `constraints.txt` and `wheels/`. */
  readonly parts: readonly { readonly path: string; readonly sha256: string }[];
}

export interface ServerRequest {
  readonly spec: LeaseSpec;
  readonly plan: LeasePlan;
  readonly served_model: string;
  /** How long loading may take. */
  readonly ready_limit_ms: number;
  readonly baked: SentParts | null;
}

/** Where the server listens on the machine, on its loopback only. */
export const SERVER_PORT = 8000;

const POLL_S = 5;
const COMPANIONS = ["torchaudio", "torchvision", "torchtext"];

/** Which environment variable carries the server's key, by what serves. */
export function keyVariable(recipe: LeasePlan["recipe"]): string {
  return recipe === "vllm" ? "VLLM_API_KEY" : "API_KEY";
}

/** pip's own cache stays on the machine's disk: on a mounted drive each small file costs a second. */
export const PIP_ENVIRONMENT = { PIP_CACHE_DIR: "/tmp/veriroute-pip" } as const;

export function serverPlan(request: ServerRequest): ServerPlan {
  const { plan, baked, ready_limit_ms } = request;
  const own = plan.recipe === "vllm" ? vllm(request) : llamacpp(request);
  return {
    ...own,
    companions: COMPANIONS,
    environment: { ...PIP_ENVIRONMENT, ...own.environment, ...plan.environment },
    secrets_file: VM_SECRETS_FILE,
    key_variable: keyVariable(plan.recipe),
    baked,
    ready_limit_s: Math.ceil(ready_limit_ms / 1000),
    poll_s: POLL_S,
  };
}

/** What is installed, by what serves. */
export const PACKAGES = {
  // The second is of use to few models, and small beside the first.
  vllm: ["vllm", "bitsandbytes"],
  llamacpp: ["llama-cpp-python[server]", "huggingface_hub"],
} as const;

type Own = Pick<ServerPlan, "install" | "environment" | "download" | "serve" | "ready_url">;

function vllm({ spec, plan, served_model }: ServerRequest): Own {
  return {
    install: [["{python}", "-m", "pip", "install", "--quiet", ...PACKAGES.vllm]],
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
      // Beyond what the memory was planned for they would push each other out of it.
      spec.concurrency === null ? [] : ["--max-num-seqs", String(spec.concurrency)],
      // Of plain weights it makes 4 bits only where it is told to.
      spec.quant === "int4" ? ["--quantization", "bitsandbytes"] : [],
    ].flat(),
    ready_url: `http://127.0.0.1:${SERVER_PORT}/health`,
  };
}

/** Built for one GPU alone: for all of them it takes most of an hour. */
export function cudaArguments(sku: Sku): string {
  return `-DGGML_CUDA=on -DCMAKE_CUDA_ARCHITECTURES=${GPU_ARCHITECTURE[sku]}`;
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
  // Projectors of images, and bf16 where f16 was meant, match as well.
  const others = ["*mmproj*", ...(spec.quant === "f16" ? ["*[bB][fF]16*"] : [])];
  const revision = spec.revision === null ? "None" : JSON.stringify(spec.revision);
  const download = [
    "from huggingface_hub import snapshot_download",
    `snapshot_download(${JSON.stringify(spec.repo)}, revision=${revision}, allow_patterns=[${JSON.stringify(pattern)}], ignore_patterns=${JSON.stringify(others)}, local_dir=${JSON.stringify(directory)})`,
  ].join("; ");
  return {
    install: [["{python}", "-m", "pip", "install", "--quiet", ...PACKAGES.llamacpp]],
    environment: { CMAKE_ARGS: cudaArguments(plan.sku) },
    download: { commands: [["{python}", "-c", download]], directory, pattern },
    serve: [
      ["{python}", "-m", "llama_cpp.server", "--model", "{model}"],
      ["--host", "127.0.0.1", "--port", String(SERVER_PORT)],
      ["--n_ctx", String(spec.ctx), "--n_gpu_layers", "-1"],
      // By default the next request ends the one that is being answered.
      ["--interrupt_requests", "false"],
      // By default it keeps 4 B per token of context and word of the vocabulary in main memory: 5 GB for 8,192.
      ["--logits_all", "false"],
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
