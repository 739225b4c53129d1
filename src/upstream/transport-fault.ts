import { readTransportFault, type TransportFault } from "../protocol/transport-fault.ts";

/** An upstream call without a usable answer. The message names the instance, never a body or URL. */
export class UpstreamError extends Error {
  readonly fault: TransportFault;

  constructor(message: string, fault: TransportFault, cause?: unknown) {
    super(message, { cause });
    this.name = "UpstreamError";
    this.fault = fault;
  }
}

/** Reads what `fetch`, a body stream or a socket threw. */
export function transportFault(error: unknown): TransportFault {
  return error instanceof UpstreamError ? error.fault : readTransportFault(error);
}
