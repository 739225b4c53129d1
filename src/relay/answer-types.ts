import { memoizeRecent } from "../lib/memoize.ts";

/** What an instance said of its latest answer's encoding. */
export interface AnswerType {
  /** Such as `text/event-stream`; null if it named none. */
  readonly content_type: string | null;
  /** Lists of vendors show that without a charset some clients guess wrongly. */
  readonly charset_declared: boolean;
  /** Epoch ms. */
  readonly at: number;
}

/** The content type that each instance answered with last. */
export interface AnswerTypes {
  note(instance: string, header: string | null, now: number): void;
  /** Null before its first answer. */
  of(instance: string): AnswerType | null;
}

/** An upstream may write anything into a header; only what looks like a media type is shown. */
const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]{1,40}\/[a-z0-9!#$&^_.+-]{1,60}/i;
/** Instances that have gone with a reload must not stay for ever. */
const MAX_INSTANCES = 1000;
/** Headers that are read once. */
const MAX_HEADERS = 64;

const readType = memoizeRecent((header): Omit<AnswerType, "at"> => {
  const content_type = MEDIA_TYPE.exec(header.trim())?.[0].toLowerCase() ?? null;
  return { content_type, charset_declared: /;\s*charset\s*=/i.test(header) };
}, MAX_HEADERS);

export function createAnswerTypes(): AnswerTypes {
  const seen = new Map<string, AnswerType>();
  return {
    note(instance, header, now) {
      const { content_type, charset_declared } = readType(header ?? "");
      seen.delete(instance);
      seen.set(instance, { content_type, charset_declared, at: now });
      const [oldest] = seen.keys();
      if (seen.size > MAX_INSTANCES && oldest !== undefined) seen.delete(oldest);
    },
    of: (instance) => seen.get(instance) ?? null,
  };
}
