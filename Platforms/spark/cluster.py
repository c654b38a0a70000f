"""A Spark cluster on this machine: a standalone master and two workers with an executor each."""
import os
import pathlib
import sys
import urllib.request

import pyspark
from pyspark.sql import SparkSession

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import processes

WORKERS = 2


class Cluster(processes.Processes):
    """The session ends with the `with` statement, and then the processes do."""

    def __init__(self, folder, **settings):
        super().__init__(folder)
        port, page = processes.free_port(), processes.free_port()
        home = pathlib.Path(pyspark.__file__).parent
        environment = {
            **os.environ, "SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_WORKER_DIR": str(folder / "work"),
            "SPARK_DAEMON_MEMORY": "256m", "PYSPARK_PYTHON": sys.executable,
        }
        deploy = "org.apache.spark.deploy"
        self.start("master", home / "bin/spark-class", f"{deploy}.master.Master", "--host", "127.0.0.1", "--port", port,
                   "--webui-port", page, environment=environment)
        self.wait("the master", lambda: b"ALIVE" in state(page))
        for number in range(WORKERS):
            self.start(f"worker-{number}", home / "bin/spark-class", f"{deploy}.worker.Worker", "--cores", 1, "--memory", "1g",
                       "--host", "127.0.0.1", "--webui-port", 0, f"spark://127.0.0.1:{port}", environment=environment)
        self.wait("a worker", lambda: state(page).count(b'"state" : "ALIVE"') == WORKERS)
        os.environ.update({"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable})
        builder = SparkSession.builder.master(f"spark://127.0.0.1:{port}").appName("encircle")
        for name, value in {
            "spark.executor.cores": 1, "spark.executor.memory": "512m", "spark.driver.memory": "1g", "spark.ui.enabled": False,
            "spark.sql.session.timeZone": "UTC", "spark.sql.shuffle.partitions": WORKERS, "spark.ui.showConsoleProgress": False,
            "spark.local.dir": folder / "scratch", "spark.sql.warehouse.dir": folder / "warehouse", "spark.log.level": "ERROR",
            **settings,
        }.items():
            builder = builder.config(name, str(value))
        self.session = builder.getOrCreate()
        status = self.session.sparkContext._jsc.sc().getExecutorMemoryStatus
        # The driver is one of them.
        self.wait("an executor", lambda: status().size() == WORKERS + 1)

    def __exit__(self, *error):
        self.session.stop()
        super().__exit__(*error)

    def memory(self):
        """The peak memory of an executor, in MiB: of Java, and of its Python process."""
        found = {"java": 0, "python": 0}
        for number in range(WORKERS):
            sums = {"java": 0, "python": 0}
            for process, line in processes.descendants(self.running[f"worker-{number}"]):
                kind = "java" if "CoarseGrainedExecutorBackend" in line else "python" if "pyspark" in line else None
                if kind:
                    sums[kind] += processes.peak_memory(process)
            found = {kind: max(found[kind], sums[kind]) for kind in found}
        return found


def state(page):
    try:
        return urllib.request.urlopen(f"http://127.0.0.1:{page}/json/", timeout=2).read()
    except OSError:
        return b""
