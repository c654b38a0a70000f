"""A Flink cluster on this machine: a JobManager and two TaskManagers with a slot each."""
import json
import os
import pathlib
import shutil
import sys
import threading
import urllib.request

import pyflink
import ruamel.yaml

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import processes

TASK_MANAGERS = 2


class Cluster(processes.Processes):
    def __init__(self, folder, **settings):
        super().__init__(folder)
        home = pathlib.Path(pyflink.__file__).parent
        rest = processes.free_port()
        shutil.copytree(home / "conf", folder / "conf")
        # Flink's own configuration stays: without its Java options, the cluster accepts no job.
        stock = flat(ruamel.yaml.YAML(typ="safe").load((home / "conf/config.yaml").read_text()))
        stock |= {
            "jobmanager.rpc.address": "127.0.0.1", "jobmanager.bind-host": "127.0.0.1", "jobmanager.rpc.port": processes.free_port(),
            "rest.address": "127.0.0.1", "rest.bind-address": "127.0.0.1", "rest.port": rest,
            "taskmanager.host": "127.0.0.1", "taskmanager.bind-host": "127.0.0.1", "taskmanager.numberOfTaskSlots": 1,
            "jobmanager.memory.process.size": "1024m", "taskmanager.memory.process.size": "1536m",
            "parallelism.default": TASK_MANAGERS, "io.tmp.dirs": str(folder / "tmp"), "execution.target": "remote",
            # A busy machine may be slow to answer.
            "pekko.startup-timeout": "120 s", "pekko.ask.timeout": "120 s",
            "python.executable": sys.executable, "python.client.executable": sys.executable,
            "python.fn-execution.arrow.batch.size": 10_000, "python.fn-execution.bundle.size": 10_000, **settings,
        }
        (folder / "conf/config.yaml").write_text("".join(f"{name}: {json.dumps(value)}\n" for name, value in stock.items()))
        (folder / "tmp").mkdir()
        # The client reads the same configuration.
        os.environ.update({"FLINK_CONF_DIR": str(folder / "conf"), "FLINK_LOG_DIR": str(folder / "logs"), "FLINK_HOME": str(home)})
        self.start("jobmanager", home / "bin/jobmanager.sh", "start-foreground")
        for number in range(TASK_MANAGERS):
            self.start(f"taskmanager-{number}", home / "bin/taskmanager.sh", "start-foreground")
        self.wait("Flink", lambda: task_managers(rest) == TASK_MANAGERS)

    def tables(self):
        """An environment for tables, whose jobs run on the cluster."""
        from pyflink.table import EnvironmentSettings, TableEnvironment

        return TableEnvironment.create(EnvironmentSettings.in_batch_mode())

    def watch(self, job):
        """Waits for a job. Returns the peak memory of a TaskManager in MiB: of Java, and of its Python process.

        The Python process ends with the job.
        """
        most = {"java": 0, "python": 0}
        ended = threading.Event()

        def look():
            while not ended.wait(0.5):
                managers = [self.running[f"taskmanager-{number}"].pid for number in range(TASK_MANAGERS)]
                # A TaskManager starts Python through a shell, which may have ended.
                workers = [number for _, number, line in processes.every() if line.startswith(f"{sys.executable} -m pyflink.fn_execution")]
                for kind, numbers in [("java", managers), ("python", workers)]:
                    most[kind] = max([most[kind], *map(processes.peak_memory, numbers)])

        watcher = threading.Thread(target=look)
        watcher.start()
        try:
            job.wait()
        finally:
            ended.set()
            watcher.join()
        return most


def flat(tree, prefix=""):
    """The settings of a tree by their full names."""
    found = {}
    for name, value in tree.items():
        found |= flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {prefix + name: value}
    return found


def task_managers(port):
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/overview", timeout=2) as answer:
            return json.load(answer)["taskmanagers"]
    except OSError:
        return 0


def text(path):
    """A path as a literal of SQL."""
    return "'" + str(path).replace("'", "''") + "'"
