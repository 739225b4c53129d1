import { arrayOf, type JsonObject, objectOf } from "../openai/fields.ts";
import type { ShapingFindings } from "./findings.ts";

const INLINE = /^data:image\/(?:png|jpe?g|webp);base64,/i;

/**
 * Refuses images that would have to be fetched or converted: the router fetches nothing that a client
 * names, since that could be any address of its own network.
 */
export function refuseImages(
  messages: readonly JsonObject[],
  vendor: string,
  findings: ShapingFindings,
): void {
  for (const [index, message] of messages.entries()) {
    for (const [at, part] of arrayOf(message["content"]).entries()) {
      const { type, image_url } = objectOf(part);
      if (type !== "image_url") continue;
      const url = typeof image_url === "string" ? image_url : objectOf(image_url)["url"];
      if (typeof url === "string" && INLINE.test(url)) continue;
      findings.refuse({
        param: `messages[${index}].content[${at}].image_url`,
        message: `${vendor} takes images only as \`data:image/…;base64,\` URLs of PNG, JPEG or WebP: send the image itself in place of its address.`,
      });
    }
  }
}
