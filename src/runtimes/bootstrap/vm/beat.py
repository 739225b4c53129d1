def beat(p):
    directory = p["directory"]
    write_whole(os.path.join(directory, "beat.json"), json.dumps(p["beat"]))
    alive = read_json(os.path.join(directory, "alive.json"))
    age_s = ticks() - float(alive.get("at", 0))
    running = is_running(alive.get("pid"), os.path.join(directory, "watchdog.py"))
    say(
        "BEAT",
        p["nonce"],
        {
            "watchdog_alive": running and age_s < float(p["fresh_s"]),
            "releasing": alive.get("releasing"),
            "phase": read_json(os.path.join(directory, "status.json")).get("phase"),
        },
    )


beat(PARAMETERS)
