def poll(p):
    directory = p["directory"]
    status = read_json(os.path.join(directory, "status.json"))
    launcher = os.path.join(directory, "launcher.py")
    phase = status.get("phase", "unknown")
    detail = status.get("detail", "")
    if status.get("nonce") != p["launch"]:
        phase, detail = "unknown", "this machine knows of no such start"
    elif phase not in ("ready", "failed") and not is_running(status.get("pid"), launcher):
        phase, detail = "failed", "the launcher ended without a word"
    if phase == "ready":
        say("READY", p["launch"])
    say("STATUS", p["nonce"], {"phase": phase, "detail": detail, "tail": status.get("tail", [])})


poll(PARAMETERS)
