import subprocess, sys


def install(p):
    if not os.environ.get("TBE_RUNTIME_ADDR"):
        raise RuntimeError("this machine does not say where it is released (TBE_RUNTIME_ADDR)")
    directory = p["directory"]
    os.makedirs(directory, mode=0o700, exist_ok=True)
    write_whole(os.path.join(directory, "beat.json"), json.dumps(p["beat"]))
    write_whole(os.path.join(directory, "watchdog.json"), json.dumps(p["limits"]))
    program = os.path.join(directory, "watchdog.py")
    write_whole(program, p["program"])
    alive = os.path.join(directory, "alive.json")
    if is_running(read_json(alive).get("pid"), program):
        return
    with open(os.path.join(directory, "watchdog.log"), "a") as log:
        subprocess.Popen(
            [sys.executable, program, directory],
            start_new_session=True,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )


def wait_for_watchdog(p):
    """Only a watchdog that was seen with this heartbeat counts."""
    alive = os.path.join(p["directory"], "alive.json")
    until = ticks() + float(p["wait_s"])
    while ticks() < until:
        found = read_json(alive)
        if found.get("beat") == p["beat"]["beat"] and found.get("releasing") is None:
            return
        time.sleep(0.1)
    raise RuntimeError("the watchdog does not answer")


install(PARAMETERS)
wait_for_watchdog(PARAMETERS)
say("WATCHDOG", PARAMETERS["nonce"])
