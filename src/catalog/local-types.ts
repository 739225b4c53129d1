import { describeType } from "./describe-type.ts";
import type { ProviderType } from "./provider-type.ts";

/** Newer releases have these; an older one's 404 is learned, and it is spoken to in chat. */
const NEWER_PATHS = { messages: "/messages", responses: "/responses" } as const;

/** Servers that run on one's own machine, what any other server is declared as, and the simulator. */
export const LOCAL_TYPES: readonly ProviderType[] = [
  describeType(
    { id: "ollama", name: "Ollama", base_url: "http://127.0.0.1:11434/v1" },
    // OLLAMA_API_KEY is the cloud's: whatever answers on a loopback port must not be handed it.
    { base_url_env: "OLLAMA_HOST", local_port: 11_434 },
  ),
  describeType(
    { id: "vllm", name: "vLLM", base_url: "http://127.0.0.1:8000/v1" },
    { env: ["VLLM_API_KEY"], local_port: 8000, paths: NEWER_PATHS },
  ),
  describeType(
    { id: "lmstudio", name: "LM Studio", base_url: "http://127.0.0.1:1234/v1" },
    { env: ["LMSTUDIO_API_KEY"], local_port: 1234, paths: NEWER_PATHS },
  ),
  describeType(
    { id: "llamacpp", name: "llama.cpp", base_url: "http://127.0.0.1:8080/v1" },
    { env: ["LLAMA_API_KEY"], local_port: 8080, paths: NEWER_PATHS },
  ),
  describeType({ id: "openai-compatible", name: "OpenAI-compatible server", base_url: null }, {}),
  // It runs in this process: the host is one that no name server may ever resolve.
  describeType(
    { id: "sim", name: "Simulator", base_url: "http://sim.invalid/v1" },
    { auth: "none", default_model: "echo" },
  ),
];
