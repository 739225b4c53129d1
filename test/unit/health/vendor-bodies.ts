export function google(code: number, status: string, message: string, reason?: string) {
  const details = reason === undefined ? [] : [{ "@type": "ErrorInfo", reason }];
  return { error: { code, message, status, details } };
}

export function anthropic(type: string, message: string) {
  return { type: "error", error: { type, message }, request_id: "req_x" };
}
