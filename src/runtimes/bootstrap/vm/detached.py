# What a detached program of ours has in common with the others: where it works, what it was told, how it
# says how far it is. Everything it knows of secrets comes from one file, which it removes.
import subprocess, sys

DIRECTORY, NONCE = sys.argv[1], sys.argv[2]
PLAN = read_json(os.path.join(DIRECTORY, "plan.json"))
SECRETS = {}
TAIL_LINES = 40


def path(name):
    return os.path.join(DIRECTORY, name)


def redacted(text):
    for value in SECRETS.values():
        if len(value) > 5:
            text = text.replace(value, "[redacted]")
    return text


def tell(phase, detail="", tail=()):
    found = {
        "nonce": NONCE,
        "pid": os.getpid(),
        "phase": phase,
        "detail": redacted(detail),
        "tail": [redacted(line) for line in tail],
    }
    write_whole(path("status.json"), json.dumps(found))
    print("%s %s %s" % (time.strftime("%H:%M:%S"), phase, found["detail"]), flush=True)


def tail_of(name):
    try:
        with open(path(name), "rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(file.tell() - 64 * 1024, 0))
            return file.read().decode("utf-8", "replace").splitlines()[-TAIL_LINES:]
    except OSError:
        return []


class Failed(Exception):
    pass


def take_secrets(file_name):
    """`NAME=value` a line. What it says is in no argument of any process."""
    try:
        with open(file_name) as file:
            lines = file.read().splitlines()
    except FileNotFoundError:
        return
    os.remove(file_name)
    for line in lines:
        name, found, value = line.partition("=")
        if found and name.strip():
            SECRETS[name.strip()] = value


def environment():
    return {**os.environ, **PLAN.get("environment", {}), **SECRETS}


def filled(argv, values):
    return [values.get(word, word) for word in argv]


def run(argv, log_name="install.log"):
    with open(path(log_name), "a") as log:
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment())
    if done.returncode != 0:
        raise Failed("`%s` ended with %d" % (" ".join(argv[:4]), done.returncode))


def python(code):
    """Output of a fresh interpreter, which sees what was just installed; None if it fails."""
    argv = [sys.executable, "-c", code]
    done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment())
    return done.stdout.strip() if done.returncode == 0 else None
