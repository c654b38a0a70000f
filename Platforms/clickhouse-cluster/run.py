#!/usr/bin/env python3
"""Feeds decided events to a cluster of two ClickHouse servers with ZooKeeper, as Debian has them.

usage: run.py ENCIRCLE FOLDER [--events N]

ENCIRCLE is the tool, FOLDER an empty folder. Each block of events is sent twice, as if the sender had missed the answer, and a
server is killed in between. Prints counts by rule, and checks on both servers that they are the same as for `encircle match`.
"""
import json
import pathlib
import shutil
import signal
import socket
import sys
import time
import urllib.error
import urllib.request

import encircle

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import events
import processes

SERVERS = ["a", "b"]
KEPT = ["n", "time", "distinct_id", "event", "page"]


class Server:
    """A server and its HTTP port."""

    def __init__(self, cluster, name, ports, zookeeper):
        self.cluster, self.name, self.port = cluster, name, ports[name]["http"]
        self.folder = cluster.folder / name
        for part in ["data", "tmp"]:
            (self.folder / part).mkdir(parents=True)

        def replicas(database):
            inside = f"<default_database>{database}</default_database>" if database else ""
            return "".join(
                f"<replica>{inside}<host>127.0.0.1</host><port>{ports[other]['tcp']}</port></replica>" for other in SERVERS)

        self.configuration = self.folder / "server.xml"
        self.configuration.write_text((HERE / "server.xml").read_text().format(
            folder=self.folder, name=name, zookeeper=zookeeper, replicas=replicas(None), replicas_1=replicas("shard_1"),
            replicas_2=replicas("shard_2"), **ports[name]))
        shutil.copy(HERE / "users.xml", self.folder)
        self.start()

    def start(self):
        self.process = self.cluster.start(self.name, "clickhouse-server", f"--config-file={self.configuration}")

    def execute(self, sql, body=b""):
        """Runs a statement; the rows of an insert follow it."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/", f"{sql}\n".encode() + body, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            raise OSError(f"{self.name}: {error.read().decode(errors='replace')[:500]}") from error

    def query(self, sql):
        """Returns the rows of a query as dictionaries."""
        return [json.loads(line) for line in self.execute(sql + " FORMAT JSONEachRow").splitlines()]

    @property
    def answers(self):
        try:
            return self.query("SELECT 1 AS one") == [{"one": 1}]
        except OSError:
            return False


def serves(port):
    """Returns whether ZooKeeper answers requests. Before that, it accepts connections but closes them."""
    try:
        with socket.create_connection(("127.0.0.1", port), 2) as one:
            one.sendall(b"srvr")
            return b"Mode: " in one.recv(4096)
    except OSError:
        return False


def block(rules, start, count):
    """Decided events as lines of JSON."""
    made_up = events.table(count, start)
    decided = rules.decide_batch(made_up.select(events.COLUMNS).combine_chunks().to_batches()[0])
    kept = zip(made_up.select(KEPT).to_pylist(), decided.to_pylist())
    return "".join(
        json.dumps({**event, **{name: event[name] or "" for name in ["event", "page"]}, "time": int(event["time"].timestamp()),
                    **decision, "selected": int(decision["selected"])}) + "\n"
        for event, decision in kept).encode()


def main():
    options = events.arguments(__doc__, events=1_000_000)
    tool, folder = options.encircle, options.folder
    compiled = folder / "v1.rules"
    events.compile_rules(tool, compiled)
    rules = encircle.RuleSet.load(compiled)
    ports = {name: {kind: processes.free_port() for kind in ["http", "tcp", "interserver"]} for name in SERVERS}
    zookeeper = processes.free_port()
    (folder / "zoo.cfg").write_text(
        f"tickTime=2000\ndataDir={folder}/zookeeper\nclientPort={zookeeper}\nclientPortAddress=127.0.0.1\n"
        "admin.enableServer=false\n4lw.commands.whitelist=srvr\n")
    with processes.Processes(folder) as cluster:
        cluster.start("zookeeper", "java", "-cp", "/usr/share/java/zookeeper.jar", "-Xmx256m",
                      "org.apache.zookeeper.server.quorum.QuorumPeerMain", folder / "zoo.cfg")
        cluster.wait("ZooKeeper", lambda: serves(zookeeper))
        one, other = servers = [Server(cluster, name, ports, zookeeper) for name in SERVERS]
        cluster.wait("a server", lambda: all(server.answers for server in servers))
        for statement in events.statements((HERE / "tables.sql").read_text()):
            one.execute(statement)

        size = min(50_000, max(1, options.events // 10))
        starts = list(range(0, options.events, size))
        started = time.monotonic()
        for number, start in enumerate(starts):
            if number == len(starts) // 3:
                other.process.send_signal(signal.SIGKILL)
                other.process.wait()
            if number == 2 * len(starts) // 3:
                other.start()
                cluster.wait("the server that was killed", lambda: other.answers)
            lines = block(rules, start, min(size, options.events - start))
            for _ in range(2):
                one.execute("INSERT INTO default.events_decided FORMAT JSONEachRow", lines)
        elapsed = time.monotonic() - started
        for server in servers:
            for shard in ["shard_1", "shard_2"]:
                server.execute(f"SYSTEM SYNC REPLICA {shard}.events_decided")

        def local(server):
            shards = ("SELECT count() AS events, sum(cityHash64(n, rules, emit, selected, rules_version)) AS hash"
                      " FROM %s.events_decided")
            return [server.query(shards % shard)[0] for shard in ["shard_1", "shard_2"]]

        question = """
            SELECT rule, count() AS events, uniqExact(distinct_id) AS people FROM default.events_decided
            ARRAY JOIN rules AS rule WHERE selected GROUP BY rule ORDER BY events DESC, rule"""
        counts = [{row["rule"]: int(row["events"]) for row in server.query(question)} for server in servers]
        replicas = [local(server) for server in servers]
        failures = one.query("SELECT count() AS n FROM default.events_decided WHERE error != ''")[0]["n"]
    for rule, number in counts[0].items():
        print(f"{rule:24} {number:10}")
    print(f"{options.events} events, each sent twice, decided and stored on two shards with two replicas each in {elapsed:.1f} s;"
          f" {' and '.join(str(shard['events']) for shard in replicas[0])} on the shards")
    expected = events.expected_counts(tool, compiled, options.events)
    for what, found, wanted in [
        ("events stored once", sum(int(shard["events"]) for shard in replicas[0]), options.events),
        ("rows that could not be decided", int(failures), 0),
        ("counts by rule", counts[0], expected),
        ("counts by rule of the server that was killed", counts[1], expected),
        ("replicas", replicas[1], replicas[0]),
    ]:
        events.check("clickhouse-cluster", what, found, wanted)


if __name__ == "__main__":
    main()
