# Makes the environment, starts the server in a session of its own and says how far it is. Runs
# detached; everything it knows of secrets comes from one file, which it removes.
import glob, importlib.metadata, shutil, subprocess, sys, sysconfig, tarfile, urllib.request

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


def cache_names():
    cache = PLAN.get("cache")
    if not cache or not os.path.isdir(cache["directory"]):
        return None
    archive = os.path.join(cache["directory"], "%s.tar" % cache["key"])
    return archive, archive + ".complete"


def restore_cache():
    """Only what its sentinel calls complete: the archive of a machine that died half way is no archive."""
    names = cache_names()
    if names is None or not os.path.exists(names[1]):
        return False
    local = path("environment.tar")
    shutil.copyfile(names[0], local)
    with tarfile.open(local) as archive:
        # Older interpreters know no filters, newer ones warn without one.
        known = {"filter": "fully_trusted"} if hasattr(tarfile, "fully_trusted_filter") else {}
        archive.extractall(sysconfig.get_paths()["purelib"], **known)
    os.remove(local)
    return True


def save_cache():
    names = cache_names()
    if names is None or os.path.exists(names[1]):
        return
    local = path("environment.tar")
    with tarfile.open(local, "w") as archive:
        archive.add(sysconfig.get_paths()["purelib"], arcname=".")
    shutil.copyfile(local, names[0])
    os.remove(local)
    write_whole(names[1], json.dumps({"bytes": os.path.getsize(names[0])}))


def prepare():
    if PLAN.get("install"):
        tell("installing")
        if not restore_cache():
            for argv in PLAN["install"]:
                run(filled(argv, {"{python}": sys.executable}))
            repair_companions()
            save_cache()
    download = PLAN.get("download")
    if not download:
        return None
    tell("downloading")
    for argv in download["commands"]:
        run(filled(argv, {"{python}": sys.executable}))
    found = sorted(glob.glob(os.path.join(download["directory"], "**", download["pattern"]), recursive=True))
    if not found:
        raise Failed("the repository holds no file `%s`" % download["pattern"])
    return found[0]


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
