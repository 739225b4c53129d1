/** Missing from the Node types that the dependencies agree on; Bun has it. */
declare module "node:zlib" {
  function zstdDecompress(
    bytes: Uint8Array,
    options: { maxOutputLength: number },
    done: (error: Error | null, result: Uint8Array) => void,
  ): void;
}
