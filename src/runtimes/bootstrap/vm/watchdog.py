# Releases this machine when the other side falls silent or its time is up. Runs in a session of its
# own, outlives the kernel, and never ends by itself: a release that fails is tried for ever.
import signal, sys, urllib.request

DIRECTORY = sys.argv[1]
# A machine whose release fails shall at least fall idle, which Colab ends by itself.
FAILURES_BEFORE_IDLE = 3


def path(name):
    return os.path.join(DIRECTORY, name)


def log(text):
    try:
        print("%s %s" % (time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), text), flush=True)
    except OSError:
        # The disk is full, of a model perhaps: the machine is to be released all the same.
        pass


def release():
    address = os.environ.get("TBE_RUNTIME_ADDR", "")
    request = urllib.request.Request("http://%s/unassign" % address, data=b"", method="POST")
    try:
        # No proxy: the address is the machine's own.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=30) as answer:
            log("release asked for: %d" % answer.status)
            return True
    except Exception as error:
        log("release failed: %s" % error)
        return False


def stop_serving():
    server = read_json(path("server.json"))
    if not is_running(server.get("pid"), server.get("word", "")):
        return
    try:
        os.killpg(int(server["pid"]), signal.SIGKILL)
        log("server ended, so that the machine falls idle")
    except OSError as error:
        log("server cannot be ended: %s" % error)


def due(now, state, limits):
    if state["deadline"] is not None and now >= state["deadline"]:
        return "the hard deadline has passed"
    silent_s = now - state["beat_at"]
    if silent_s > float(limits["ttl_s"]):
        return "no heartbeat for %d s" % silent_s
    return None


def follow(now, state):
    """A new heartbeat brings the time that is left, counted from now."""
    beat = read_json(path("beat.json"))
    try:
        number, remaining_s = int(beat["beat"]), float(beat["remaining_s"])
    except (KeyError, TypeError, ValueError):
        return
    if number != state["beat"]:
        state.update(beat=number, beat_at=now, deadline=now + remaining_s)


def tell(now, state, reason):
    alive = {"pid": os.getpid(), "at": now, "beat": state["beat"], "releasing": reason}
    try:
        write_whole(path("alive.json"), json.dumps(alive))
    except OSError as error:
        log("it cannot be written that this lives: %s" % error)


def watch():
    # SIGHUP comes with the end of the kernel that started this.
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    state = {"beat": None, "beat_at": ticks(), "deadline": None}
    failures = 0
    limits = {"ttl_s": 1800, "poll_s": 10}
    while True:
        limits.update(read_json(path("watchdog.json")))
        now = ticks()
        follow(now, state)
        reason = due(now, state, limits)
        tell(now, state, reason)
        if reason is not None:
            log("releasing: %s" % reason)
            failures = 0 if release() else failures + 1
            if failures >= FAILURES_BEFORE_IDLE:
                stop_serving()
        time.sleep(float(limits["poll_s"]))


watch()
