/** The whole body, or undefined once it is larger than `maxBytes`; the rest is then not fetched. */
export async function readBounded(
  response: Response,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (response.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    // Leaving the loop cancels the stream.
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** The body as JSON; undefined if it is too large or no JSON. A byte order mark is not part of it. */
export async function readJson(response: Response, maxBytes: number): Promise<unknown> {
  const bytes = await readBounded(response, maxBytes);
  if (bytes === undefined) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
