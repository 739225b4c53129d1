const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

/** Epoch ms of an instant written as such or as RFC 3339; undefined for anything else. */
export function parseInstant(text: string): number | undefined {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  // In a query the `+` of an offset arrives as a blank where the client did not encode it.
  const spelled = text.replace(/ (?=\d{2}:\d{2}$)/, "+");
  const at = RFC_3339.test(spelled) ? Date.parse(spelled.replace(" ", "T")) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}
