# Prepares, on a machine without GPU, what installing on one with a GPU would spend its time on: which
# versions go together, and wheels of what an index has as source only.
import hashlib, re, shutil, tarfile


def canonical(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def require_tools():
    for tool in PLAN["tools"]:
        if not any(shutil.which(place) for place in tool):
            raise Failed("this machine has no `%s`, so nothing can be built on it" % tool[0])


def resolve():
    """Versions by name, of everything that is not installed as it has to be."""
    report = path("report.json")
    run(filled(PLAN["resolve"], {"{python}": sys.executable, "{report}": report}))
    found = [one["metadata"] for one in read_json(report).get("install", [])]
    return {canonical(one["name"]): one["version"] for one in found}


def build(versions, wheels):
    os.makedirs(wheels)
    for name in PLAN["build"]:
        version = versions.get(canonical(name))
        # One that is installed already is on the machines with a GPU, too.
        if version is None:
            continue
        words = {"{python}": sys.executable, "{wheels}": wheels, "{package}": "%s==%s" % (name, version)}
        run(filled(PLAN["wheel"], words))


def pack(place):
    """In parts, since one large file does not come through whole."""
    whole = path("baked.tar.gz")
    with tarfile.open(whole, "w:gz", compresslevel=1) as archive:
        archive.add(place, arcname=".")
    parts = []
    with open(whole, "rb") as file:
        while True:
            content = file.read(PLAN["part_bytes"])
            if not content:
                break
            name = "%s%03d" % (PLAN["parts_at"], len(parts))
            with open(name, "wb") as part:
                part.write(content)
            found = {"path": name, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
            parts.append(found)
    os.remove(whole)
    return parts


def bake():
    place = path("baked")
    sentinel = path("baked.json")
    # What an earlier start left is not what this one prepares.
    shutil.rmtree(place, ignore_errors=True)
    if os.path.exists(sentinel):
        os.remove(sentinel)
    require_tools()
    tell("resolving")
    versions = resolve()
    tell("building")
    build(versions, os.path.join(place, "wheels"))
    pins = sorted("%s==%s" % pair for pair in versions.items())
    write_whole(os.path.join(place, "constraints.txt"), "".join("%s\n" % pin for pin in pins))
    tell("packing")
    found = {
        "launch": NONCE,
        "python": "%d.%d" % sys.version_info[:2],
        "packages": pins,
        "wheels": sorted(os.listdir(os.path.join(place, "wheels"))),
        "parts": pack(place),
    }
    # Last: whoever finds it finds the rest whole.
    write_whole(sentinel, json.dumps(found))


tell("starting")
try:
    bake()
    tell("ready")
except Failed as error:
    tell("failed", str(error), tail_of("install.log"))
except Exception as error:
    tell("failed", "%s: %s" % (type(error).__name__, error), tail_of("launcher.log"))
