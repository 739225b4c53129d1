# A Python that has loaded the named modules and waits on a socket: each call becomes a process of its own, with
# the caller's arguments, environment, directory and standard streams, that runs the caller's program.
import fcntl, importlib, json, os, select, signal, socket, sys

PLACE, MODULES = sys.argv[1], sys.argv[2:]


def read_call(connection):
    # The streams come with the first byte.
    _, streams, _, _ = socket.recv_fds(connection, 1, 3)
    text = b""
    while not text.endswith(b"\n"):
        text += connection.recv(65536)
    return json.loads(text), streams


def end_with_caller(connection):
    # What becomes of the caller's end is told by SIGIO, which ends this process.
    fcntl.fcntl(connection, fcntl.F_SETOWN, os.getpid())
    flags = fcntl.fcntl(connection, fcntl.F_GETFL)
    fcntl.fcntl(connection, fcntl.F_SETFL, flags | os.O_ASYNC)


def serve(connection):
    call, streams = read_call(connection)
    end_with_caller(connection)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.environ.clear()
    os.environ.update(call["env"])
    os.chdir(call["cwd"])
    sys.argv = call["argv"]
    connection.sendall(bytes([ended(call["program"])]))


def ended(program):
    code = 0
    try:
        exec(compile(program, sys.argv[0], "exec"), {"__name__": "__main__"})
    except SystemExit as end:
        code = end.code
    except BaseException:
        sys.excepthook(*sys.exc_info())
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    return code if isinstance(code, int) else int(code is not None)


for name in MODULES:
    importlib.import_module(name)
server = socket.socket(socket.AF_UNIX)
server.bind(PLACE)
server.listen(16)
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
print("warm", flush=True)
# Its input ends with whoever started it.
while server in select.select([server, 0], [], [])[0]:
    connection, _ = server.accept()
    if os.fork() == 0:
        server.close()
        serve(connection)
        os._exit(0)
    connection.close()
