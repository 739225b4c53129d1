# Waits on the machine are as much shorter as those of the router under test; its clocks are true. Whatever runs
# here ends with the test, even one that was killed.
import os, threading, time

_sleep = time.sleep
time.sleep = lambda seconds: _sleep(seconds / 10)


def end_with(owner):
    while os.path.exists("/proc/%d" % owner):
        _sleep(2)
    os._exit(1)


threading.Thread(target=end_with, args=[int(os.environ["FAKE_OWNER"])], daemon=True).start()
