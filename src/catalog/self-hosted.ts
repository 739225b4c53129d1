/** Provider types of servers that run on one's own machines, and the simulator. */
const SELF_HOSTED: ReadonlySet<string> = new Set(["ollama", "vllm", "llamacpp", "lmstudio", "sim"]);

export interface Hosting {
  /** Provider type. */
  readonly type: string;
  readonly model: string;
  /** The config calls the instance this site's own. */
  readonly local: boolean;
}

/** Whether a model costs nothing because it runs on machines that are paid for anyway. */
export function isSelfHosted({ type, model, local }: Hosting): boolean {
  // A local Ollama passes these on to its vendor's cloud, on account.
  if (type === "ollama" && /[:-]cloud$/i.test(model)) return false;
  return local || SELF_HOSTED.has(type);
}
