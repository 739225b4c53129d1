import json, os, time


def write_whole(path, text, mode=0o600):
    """Readers see the old file or the new one, never half of it."""
    beside = "%s.%d" % (path, os.getpid())
    with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)


def read_json(path):
    try:
        with open(path) as file:
            found = json.load(file)
        return found if isinstance(found, dict) else {}
    except (OSError, ValueError):
        return {}


def is_running(pid, word):
    """Whether the process lives and is the one meant: pids are used again."""
    try:
        with open("/proc/%d/cmdline" % int(pid), "rb") as file:
            return word.encode() in file.read()
    except FileNotFoundError:
        return False
    except (OSError, TypeError, ValueError):
        return False


def ticks():
    """Seconds that never jump, those asleep included."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if clock is None else time.clock_gettime(clock)


def say(word, nonce, found=None):
    """One line for the other side, whatever else is on it."""
    rest = "" if found is None else " " + json.dumps(found)
    print("\n[veriroute] %s %s%s" % (word, nonce, rest), flush=True)
