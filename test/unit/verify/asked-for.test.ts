import { describe, expect, test } from "bun:test";

import { PLAIN_ANSWER } from "../../../src/verify/answer-facts.ts";
import { charsetProfile } from "../../../src/verify/prompt/prompt-profile.ts";
import { readRequestFacts } from "../../../src/verify/prompt/request-facts.ts";
import { createScanner } from "../../../src/verify/scanner.ts";

/** The signature that an answer to this one message shows. */
function shown(prompt: string, completion: string, more: object = {}): string | null {
  const body = { ...more, messages: [{ role: "user", content: prompt }] };
  const scanner = createScanner({ prompt: charsetProfile(body), request: readRequestFacts(body) });
  scanner.push(completion);
  return scanner.end({ ...PLAIN_ANSWER, finish: "stop" }).verdict.signature;
}

const PAGE = "<!DOCTYPE html><html><head><title>404 Not Found</title></head></html>";

describe("a page of errors", () => {
  test.each([
    "Make a 404 page for my bakery.",
    "I need a log-in page, one file please.",
    "Write a maintenance page that says we are back at noon.",
    "Design a sign-up form for the club.",
    "Give me something I can open in my browser that counts clicks.",
    "A small JavaScript game, all in one file.",
    "Fais-moi une page d’erreur.",
    "Crée un site web pour mon café.",
    "Bau mir eine Fehlerseite.",
    "Hazme una página de error.",
    "Fammi una pagina di errore.",
    "Maak een foutpagina.",
    "Zrób stronę błędu, a potem stronę główną.",
    "Сверстай страницу ошибки.",
    "Bana bir hata sayfası yap.",
    "Tạo một trang web nhỏ.",
    "做一个错误页面。",
    "エラーページを作って。",
    "오류 페이지를 만들어 줘.",
    "اصنع صفحة خطأ.",
    "एक एरर पेज बनाओ।",
  ])("is an answer to: %s", (prompt) => {
    expect(shown(prompt, PAGE)).toBeNull();
  });

  test.each([
    "Who wrote Dune?",
    "Summarise page 12 of the report.",
    "Make a list of things to pack.",
    "Wie hoch ist der Turm?",
    "¿Quién escribió Dune?",
    "Write it in the form of a poem.",
    "How do metals react with acid?",
    "Прочитай страницу 12.",
    "12ページを要約して。",
    "月はなぜ光るの？",
  ])("is none to: %s", (prompt) => {
    expect(shown(prompt, PAGE)).toBe("html_error_page");
  });
});

const LINE = "The lighthouse stands on the northern cape, and its lamp is lit at dusk.";

describe("a prompt that comes back", () => {
  test.each([
    "Read this back to me",
    "Send the same text back, unchanged",
    "Any typos in this?",
    "Say after me",
    "Répète cette phrase",
    "Traduis en anglais",
    "Wiederhole diesen Satz",
    "Sprich mir bitte nach",
    "Repite esta frase",
    "Corrija esta frase",
    "Ripeti questa frase",
    "Herhaal deze zin",
    "Powtórz to zdanie",
    "Повтори слово в слово",
    "Повтори дослівно",
    "Bunu aynen yaz",
    "Hãy lặp lại câu này",
    "Ulangi kalimat ini",
    "请逐字重复这句话",
    "この文をそのまま返して",
    "이 문장을 그대로 따라 해",
    "كرر هذه الجملة",
    "यह वाक्य दोहराओ",
  ])("is what was asked for: %s", (words) => {
    const prompt = `${words}: ${LINE}`;

    expect(shown(prompt, prompt)).toBeNull();
  });

  test.each([
    "Tell me more of this",
    "Explique ceci",
    "Erkläre das",
    "Explica esto",
    "Write a function that prints the words of this",
    "상황에 따라 설명해 줘",
    "Объясни это",
    "解释这句话",
  ])("is an echo: %s", (words) => {
    const prompt = `${words}: ${LINE}`;

    expect(shown(prompt, prompt)).toBe("prompt_echo");
  });

  test("is what a model called echo is there for", () => {
    expect(shown(LINE, LINE, { model: "sim:echo" })).toBeNull();
    expect(shown(LINE, LINE, { model: "box:qwen3" })).toBe("prompt_echo");
  });
});

const lines = (count: number) =>
  Array.from({ length: count }, (_, n) => `Entry ${n}: the lamp was lit at dusk.`).join("\n");

describe("a long text", () => {
  const TASK = "Add the missing last entry to this log, please.";

  test.each([
    { name: "just beyond what is kept of a head", log: lines(70) },
    { name: "of which all is kept", log: lines(300) },
    { name: "of which the end is kept", log: lines(900) },
  ])("$name comes back changed at its end, or as it was", ({ log }) => {
    const prompt = `${log}\n\n${TASK}`;

    expect(shown(prompt, `${log}\nThe last entry: the lamp went out.`)).toBeNull();
    expect(shown(prompt, prompt)).toBe("prompt_echo");
    expect(shown(prompt, `User: ${prompt}`)).toBe("prompt_echo");
  });

  test("is asked about before it or behind it", () => {
    const log = lines(900);

    for (const prompt of [`Repeat this:\n${log}`, `${log}\nRepeat this, please.`]) {
      expect(shown(prompt, prompt)).toBeNull();
    }
  });
});
