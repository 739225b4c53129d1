const UNIT_BYTES: Readonly<Record<string, number>> = {
  B: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
};

/** What a config size looks like, such as `32MiB`. */
export const SIZE_PATTERN = "^\\d+(\\.\\d+)?(B|KB|MB|GB|KiB|MiB|GiB)$";

/** Bytes of a size such as `"32MiB"`; undefined if it is none. */
export function parseSize(text: string): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(B|[KMG]i?B)$/.exec(text) ?? [];
  if (amount === undefined || unit === undefined) return undefined;
  return Math.round(Number(amount) * (UNIT_BYTES[unit] ?? 1));
}
