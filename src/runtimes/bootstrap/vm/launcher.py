# Makes the environment, starts the server in a session of its own and says how far it is.
import fnmatch, glob, hashlib, importlib.metadata, tarfile, urllib.request


def repair_companions():
    """A companion of torch that was built for another CUDA breaks every import that meets it."""
    cuda = python("import torch; print((torch.version.cuda or '').replace('.', ''))")
    if cuda is None:
        return
    for name in PLAN.get("companions", []):
        try:
            version = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        built_for = version.partition("+cu")[2]
        mismatched = bool(built_for) and built_for != cuda
        if mismatched or python("import %s" % name) is None:
            print("removing %s %s: torch is built for CUDA %s" % (name, version, cuda), flush=True)
            run([sys.executable, "-m", "pip", "uninstall", "-y", name])


def matches(content, part):
    return hashlib.sha256(content).hexdigest() == part["sha256"]


def unpack(baked):
    whole = path("baked.tar.gz")
    with open(whole, "wb") as archive:
        for part in baked["parts"]:
            with open(part["path"], "rb") as file:
                content = file.read()
            if not matches(content, part):
                raise Failed("`%s` is not what was sent" % part["path"])
            archive.write(content)
    with tarfile.open(whole) as archive:
        # Older interpreters know no filters, newer ones warn without one.
        known = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
        archive.extractall(path("baked"), **known)
    os.remove(whole)


def baked_options():
    """What was prepared elsewhere, as options of pip; none if it did not come whole or does not fit."""
    baked = PLAN.get("baked")
    if not baked:
        return []
    own = "%d.%d" % sys.version_info[:2]
    try:
        if baked["python"] != own:
            raise Failed("it is for Python %s, and this is %s" % (baked["python"], own))
        unpack(baked)
    except (Failed, OSError, tarfile.TarError) as error:
        print("what was baked is left out: %s" % error, flush=True)
        return []
    return ["--constraint", path("baked/constraints.txt"), "--find-links", path("baked/wheels")]


def install(options):
    for argv in PLAN["install"]:
        run(filled(argv, {"{python}": sys.executable}) + options)


def install_all():
    options = baked_options()
    if not options:
        return install([])
    tell("installing what was baked")
    try:
        install(options)
    except Failed as error:
        # An index that no longer has those versions, say: no reason to serve nothing.
        print("what was baked is left out: %s" % error, flush=True)
        tell("installing")
        install([])


def prepare():
    if PLAN.get("install"):
        tell("installing")
        install_all()
        repair_companions()
    download = PLAN.get("download")
    if not download:
        return None
    tell("downloading")
    for argv in download["commands"]:
        run(filled(argv, {"{python}": sys.executable}))
    found = downloaded(download["directory"], download["pattern"])
    if not found:
        raise Failed("the repository holds no file `%s`" % download["pattern"])
    return found[0]


def downloaded(directory, pattern):
    """Files whose name fits, in their order; else those whose path does: a folder alone may name a variant."""
    found = sorted(glob.glob(os.path.join(directory, "**", "*"), recursive=True))
    files = [path for path in found if os.path.isfile(path)]
    named = [path for path in files if fnmatch.fnmatchcase(os.path.basename(path), pattern)]
    return named or [
        path for path in files if fnmatch.fnmatchcase(os.path.relpath(path, directory), pattern)
    ]


def is_old_gpu():
    """Below compute capability 8.0 there is no bfloat16, and servers refuse rather than convert."""
    query = ["nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"]
    try:
        out = subprocess.run(query, capture_output=True, text=True, timeout=30).stdout
        return float(out.split()[0]) < 8.0
    except (OSError, subprocess.SubprocessError, IndexError, ValueError):
        return False


def start_server(model):
    argv = filled(PLAN["serve"], {"{python}": sys.executable, "{model}": model or ""})
    if "--dtype" in argv and is_old_gpu():
        argv[argv.index("--dtype") + 1] = "half"
    with open(path("server.log"), "a") as log:
        server = subprocess.Popen(
            argv,
            start_new_session=True,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=environment(),
        )
    # Its session is its own process group: the watchdog ends the whole of it.
    write_whole(path("server.json"), json.dumps({"pid": server.pid, "word": argv[0]}))
    return server


def answers():
    headers = {}
    key = SECRETS.get(PLAN.get("key_variable", ""), "")
    if key:
        headers["Authorization"] = "Bearer " + key
    request = urllib.request.Request(PLAN["ready_url"], headers=headers)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=10) as answer:
            return answer.status == 200
    except OSError:
        return False


def wait_until_ready(server):
    until = ticks() + float(PLAN["ready_limit_s"])
    while not answers():
        if server.poll() is not None:
            raise Failed("the server ended with %d" % server.returncode)
        if ticks() > until:
            raise Failed("the server did not answer within %d s" % PLAN["ready_limit_s"])
        time.sleep(float(PLAN["poll_s"]))


def serve():
    tell("starting")
    take_secrets(PLAN["secrets_file"])
    try:
        model = prepare()
    except Failed as error:
        return tell("failed", str(error), tail_of("install.log"))
    try:
        tell("loading")
        server = start_server(model)
        wait_until_ready(server)
        tell("ready")
        server.wait()
        raise Failed("the server ended with %d" % server.returncode)
    except Failed as error:
        tell("failed", str(error), tail_of("server.log"))


try:
    serve()
except Exception as error:
    tell("failed", "%s: %s" % (type(error).__name__, error), tail_of("launcher.log"))
