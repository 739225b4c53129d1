import { describe, expect, test } from "bun:test";

import { configOf, problemsOf } from "./load.ts";

describe("[verifier]", () => {
  test.each<{ text: string; problem: string }>([
    {
      text: 'ignore = ["mojibak"]',
      problem: "`mojibak` is no signature; did you mean `mojibake`?",
    },
    { text: 'bench = "1h"', problem: "is longer than `verifier.bench_cap`" },
    { text: "incident_ratio = 2", problem: "a number from 0.05 to 0.95" },
    { text: 'mode = "enforced"', problem: "did you mean `enforce`?" },
    { text: "clean = 5", problem: "unknown key" },
  ])("is told about $text", ({ text, problem }) => {
    expect(problemsOf(`[verifier]\n${text}\n`).join("\n")).toContain(problem);
  });

  test("takes what is right", () => {
    const text = '[verifier]\nmode = "observe"\nignore = ["empty_200"]\nclean_to_close = 3\n';

    expect(configOf(text).verifier).toMatchObject({
      mode: "observe",
      ignore: ["empty_200"],
      clean_to_close: 3,
      bench: "60s",
    });
  });
});

describe("[notifications.NAME]", () => {
  const SECRET = "s3cret-part";

  test.each<{ text: string; problem: string }>([
    { text: "", problem: "is missing" },
    { text: `url = "${SECRET}"`, problem: "is no URL that starts with `http://` or `https://`" },
    { text: `url = "ftp://host/${SECRET}"`, problem: "is no URL that starts with" },
    { text: `url = "https://me:${SECRET}@host/"`, problem: "holds a user name or password" },
    { text: `url = "http://169.254.169.254/${SECRET}"`, problem: "cloud metadata address" },
    { text: 'url = "https://h/"\nkinds = ["breaker_open"]', problem: "`breaker_opened`?" },
    { text: 'url = "https://h/"\ntype = "mail"', problem: "one of `webhook`, `ntfy`" },
  ])("is told about $text, without what is secret in it", ({ text, problem }) => {
    const problems = problemsOf(`[notifications.ops]\n${text}\n`).join("\n");

    expect(problems).toContain(problem);
    expect(problems).not.toContain(SECRET);
  });

  test("takes its URL from the environment", () => {
    const env = { ALERT_URL: "https://alerts.example/x" };

    const { notifications } = configOf('[notifications.ops]\nurl = "${ALERT_URL}"\n', { env });

    expect(notifications["ops"]).toMatchObject({ type: "webhook", url: env.ALERT_URL, retries: 3 });
  });
});
