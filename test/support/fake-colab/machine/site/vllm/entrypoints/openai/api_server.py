# Stands for vLLM's server, on the port and with the key that it is given. A stream goes on for as long as
# the file `hold` is in the machine's directory.
import http.server, json, os, sys, time

ARGUMENTS = sys.argv[1:]
MODEL = next(word.split("=", 1)[1] for word in ARGUMENTS if word.startswith("--served-model-name="))
PORT = int(ARGUMENTS[ARGUMENTS.index("--port") + 1])
KEY = os.environ["VLLM_API_KEY"]
HOLD = os.path.join(os.environ["FAKE_MACHINE"], "hold")


def choice(part, finish=None):
    return {"index": 0, **part, "finish_reason": finish}


def chunk(content, finish=None):
    found = {"id": "c", "object": "chat.completion.chunk", "model": MODEL}
    return {**found, "choices": [choice({"delta": {"content": content}}, finish)]}


class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/health":
            return self.answer(200, {})
        self.guarded(lambda: self.answer(200, {"object": "list", "data": [{"id": MODEL, "object": "model"}]}))

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.guarded(lambda: self.stream() if asked.get("stream") else self.complete())

    def guarded(self, act):
        if self.headers.get("Authorization") == "Bearer " + KEY:
            return act()
        self.answer(401, {"error": {"message": "Unauthorized"}})

    def complete(self):
        message = {"role": "assistant", "content": "rented words"}
        usage = {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3}
        found = {"id": "c", "object": "chat.completion", "model": MODEL, "usage": usage}
        self.answer(200, {**found, "choices": [choice({"message": message}, "stop")]})

    def stream(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.send(json.dumps(chunk("rented ")))
        while os.path.exists(HOLD):
            time.sleep(1)
            self.send(json.dumps(chunk("and ")))
        self.send(json.dumps(chunk("words", "stop")))
        self.send("[DONE]")

    def send(self, text):
        self.wfile.write(("data: %s\n\n" % text).encode())
        self.wfile.flush()

    def answer(self, status, body):
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


failure = os.environ.get("FAKE_BOOT_FAIL", "")
if failure:
    raise SystemExit(failure)
time.sleep(float(os.environ.get("FAKE_BOOT_MS", "0")) / 100)
print("INFO serving with the key %s" % KEY, flush=True)
http.server.ThreadingHTTPServer(("127.0.0.1", PORT), Answer).serve_forever()
