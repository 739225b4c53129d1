import subprocess, sys


def launch(p):
    directory = p["directory"]
    os.makedirs(directory, mode=0o700, exist_ok=True)
    program = os.path.join(directory, "launcher.py")
    status = os.path.join(directory, "status.json")
    known = read_json(status)
    # Asked twice, as after a lost answer, it starts once.
    if known.get("nonce") == p["launch"] and is_running(known.get("pid"), program):
        return
    write_whole(os.path.join(directory, "plan.json"), json.dumps(p["plan"]))
    write_whole(program, p["program"])
    # A session of its own: a restart of the kernel does not end the server.
    with open(os.path.join(directory, "launcher.log"), "a") as log:
        subprocess.Popen(
            [sys.executable, program, directory, p["launch"]],
            start_new_session=True,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
    until = ticks() + float(p["wait_s"])
    while read_json(status).get("nonce") != p["launch"]:
        if ticks() > until:
            raise RuntimeError("the launcher does not start")
        time.sleep(0.1)


launch(PARAMETERS)
say("STARTED", PARAMETERS["nonce"])
