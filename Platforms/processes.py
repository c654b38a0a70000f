"""The processes of a cluster on this machine."""
import os
import pathlib
import socket
import subprocess
import sys
import time


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Processes:
    """Programs with a log each, which end with the `with` statement."""

    PATIENCE = 180

    def __init__(self, folder):
        self.folder, self.running = folder, {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in reversed(self.running.values()):
            process.terminate()
        for process in self.running.values():
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()

    def start(self, name, *command, environment=None):
        with open(self.folder / f"{name}.log", "ab") as log:
            self.running[name] = subprocess.Popen(
                [str(word) for word in command], stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment)
        return self.running[name]

    def wait(self, what, condition):
        """Waits until a condition holds; ends the program if it does not, or if a process has ended in the meantime."""
        deadline = time.monotonic() + self.PATIENCE
        while not condition():
            ended = [name for name, process in self.running.items() if process.poll() is not None]
            if ended or time.monotonic() > deadline:
                sys.exit(f"{what} does not start; see {self.folder}/{ended[0] if ended else '*'}.log")
            time.sleep(0.2)


def every():
    """All processes, as their parents' numbers, their own, and their command lines."""
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        yield parent, int(folder.name), line


def descendants(process):
    """The descendants of a process, as pairs of number and command line."""
    children = {}
    for parent, number, line in every():
        children.setdefault(parent, []).append((number, line))
    found = list(children.get(process.pid, []))
    for number, _ in found:
        found += children.get(number, [])
    return found


def processor_seconds(number):
    """The processor time that a process has taken."""
    user, system = pathlib.Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def peak_memory(number):
    """The peak memory of a process, in MiB; 0 if it has ended."""
    try:
        lines = pathlib.Path(f"/proc/{number}/status").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) // 1024
