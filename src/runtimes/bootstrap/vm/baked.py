def baked(p):
    found = read_json(os.path.join(p["directory"], "baked.json"))
    if found.get("launch") != p["launch"]:
        raise RuntimeError("nothing was prepared by this start")
    say("BAKED", p["nonce"], found)


baked(PARAMETERS)
