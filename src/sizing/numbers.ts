/** Bytes of a GiB; every size here is counted in these and rounded only to be shown. */
export const GIB = 2 ** 30;

/** One decimal, as in all the arithmetic that is printed. */
export function shownGib(bytes: number): string {
  return (bytes / GIB).toFixed(1);
}

/** `7,615,616,512` */
export function grouped(count: number): string {
  return Math.round(count)
    .toString()
    .replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

/** `7.6 B`, `494 M` */
export function shownParams(count: number): string {
  return count >= 1e9 ? `${(count / 1e9).toFixed(1)} B` : `${Math.round(count / 1e6)} M`;
}
