const VALID_ID = /^[A-Za-z0-9._-]{1,128}$/;

export interface RequestIds {
  /** The client's own `x-request-id` if it is a plain token, else one made once per request. */
  of(request: Request): string;
}

export function createRequestIds(mint: () => string): RequestIds {
  const made = new WeakMap<Request, string>();
  return {
    of(request) {
      const sent = request.headers.get("x-request-id");
      if (sent !== null && VALID_ID.test(sent)) return sent;
      const known = made.get(request);
      if (known !== undefined) return known;
      const id = mint();
      made.set(request, id);
      return id;
    },
  };
}
