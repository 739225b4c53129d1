const CENSOR = "[redacted]";

/** How the secrets look that pass through the commands, wherever they turn up. */
const SECRET_SHAPES: readonly RegExp[] = [
  /(?<=\bbearer\s+)[\w.~+/=-]{8,}/gi,
  /\bya29\.[\w.-]+/g,
  /\b1\/\/[\w-]{20,}/g,
  /\bGOCSPX-[\w-]+/g,
  /\bhf_[A-Za-z0-9]{8,}/g,
  /(?<=proxy-token[=:"'\s]{1,4})[^\s&"',)}]+/gi,
  /(?<="(?:token|access_token|refresh_token|client_secret)"\s*:\s*")[^"]+/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
];

/** Shorter ones would blank ordinary words. */
const MIN_SECRET_LENGTH = 6;

/** `text` without what looks like a credential, and without `secrets` themselves. */
export function redactText(text: string, secrets: readonly string[] = []): string {
  const known = secrets.filter((secret) => secret.length >= MIN_SECRET_LENGTH);
  const named = known.reduce((rest, secret) => rest.replaceAll(secret, CENSOR), text);
  return SECRET_SHAPES.reduce((rest, shape) => rest.replace(shape, CENSOR), named);
}
