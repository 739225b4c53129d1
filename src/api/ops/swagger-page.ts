import { createHash } from "node:crypto";

/**
 * Loads the assets with the key, if one is needed: a browser cannot put one on a page's address or
 * its script tags. The key stays in memory and goes along with "Try it out".
 */
const SCRIPT = `
"use strict";
const form = document.querySelector("form");
const problem = document.querySelector("output");

async function load(key) {
  const headers = key === "" ? {} : { authorization: "Bearer " + key };
  const [css, script] = await Promise.all(
    ["ui.css", "ui.js"].map(async (name) => {
      const answer = await fetch("/swagger/" + name, { headers });
      if (!answer.ok) throw new Error((await answer.json()).error.message);
      return answer.text();
    }),
  );
  form.hidden = true;
  put("style", css);
  put("script", script);
  const ui = SwaggerUIBundle({
    // By its URL: the references of a document handed over are looked up in the page's own address.
    url: new URL("/swagger/json", location.href).href,
    requestInterceptor(request) {
      if (request.loadSpec) Object.assign(request.headers, headers);
      return request;
    },
    dom_id: "#ui",
    validatorUrl: null,
    deepLinking: true,
    tryItOutEnabled: true,
    onComplete: () => key !== "" && ui.preauthorizeApiKey("bearer", key),
  });
}

function put(tag, text) {
  const element = document.createElement(tag);
  element.textContent = text;
  document.head.append(element);
}

function ask(error) {
  problem.value = error.message;
  form.hidden = false;
  form.elements.key.focus();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  load(form.elements.key.value.trim()).catch(ask);
});
load("").catch(ask);
`;

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">
<title>veriroute API</title>
<noscript>This page needs JavaScript. The API document itself is at /swagger/json.</noscript>
<form hidden style="font: 16px/1.5 system-ui, sans-serif; max-width: 40em; margin: 4em auto">
  <h1>veriroute API</h1>
  <p><output></output></p>
  <label>Admin key <input name="key" type="password" autocomplete="off" required></label>
  <button>Open</button>
</form>
<div id="ui"></div>
<script>${SCRIPT}</script>
</html>
`;

/** How a content security policy names a script by what it says. */
export function sourceHash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/**
 * Only the script of the page and the bundle, by their hashes, may run, and nothing may be loaded
 * from or sent to another host. Swagger UI styles its elements inline and has images as data.
 */
function contentPolicy(bundleHash: string): string {
  return [
    "default-src 'none'",
    `script-src ${sourceHash(SCRIPT)} ${bundleHash}`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** The page with the headers that confine it; people without a key get it too, as a 401 or 403. */
export function swaggerPage(status: number, bundleHash: string): Response {
  return new Response(PAGE, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": contentPolicy(bundleHash),
      "referrer-policy": "no-referrer",
    },
  });
}
