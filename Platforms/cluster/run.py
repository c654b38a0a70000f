#!/usr/bin/env python3
"""Runs a cluster on this machine: HAProxy, four collectors, their control plane, Kafka's stand-in, and ClickHouse.

usage: run.py ENCIRCLE FOLDER [--mock-cluster PROGRAM] [--events N] [--kills N] [--per-request N]

ENCIRCLE is the tool, FOLDER an empty folder. Collectors write to files; with PROGRAM, for which ENCIRCLE has the package trait
Kafka, to topics. Neither Debian nor PyPI has a broker: PROGRAM is librdkafka's mock cluster (Platforms/kafka), which differs
from a broker for clients only in having no transactions and keeping everything in memory. Clients send made-up events through
the balancer while collectors are killed, a broker is down, the control plane is away and new rules are published. Everything
that was acknowledged must be in ClickHouse, once.
"""
import http.client
import json
import multiprocessing
import pathlib
import random
import signal
import subprocess
import sys
import threading
import time
import urllib.request

import chdb

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import events
import processes

COLLECTORS = 4
CLIENTS = 4
RULES = '{"version":1,"rules":[{"id":"tap","include":{"event":"$AppClick","page":"%s"},"emit":"tapped"}]}'


class Process:
    """A program that can be killed and started again."""

    def __init__(self, folder, name, *command, ready=None):
        self.command, self.ready = [str(word) for word in command], ready
        self.log = open(folder / f"{name}.log", "ab")
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=self.log, stderr=self.log)
        deadline = time.monotonic() + 60
        while self.ready and not answers(self.ready):
            if self.process.poll() is not None or time.monotonic() > deadline:
                sys.exit(f"cluster: {' '.join(self.command)} does not start; see {self.log.name}")
            time.sleep(0.05)

    def end(self, number):
        self.process.send_signal(number)
        return self.process.wait()


def answers(url):
    try:
        return urllib.request.urlopen(url, timeout=2).status == 200
    except (OSError, http.client.HTTPException):
        return False


class Clients:
    """Apps: each sends its events again until they are acknowledged, as SDKs do."""

    def __init__(self, port, per_request):
        self.port, self.per_request, self.acknowledged, self.refused, self.lock = port, per_request, 0, 0, threading.Lock()

    def send(self, first, count):
        # 2026-03-01 00:00:00 UTC
        start = 1_772_323_200_000
        for at in range(first, first + count, self.per_request):
            body = json.dumps([
                {"event": "$AppClick", "type": "track", "distinct_id": f"u{n % 1000}", "_track_id": n, "time": start + n,
                 "properties": {"$screen_name": ["Home", "Cart"][n % 2]}}
                for n in range(at, min(at + self.per_request, first + count))])
            connection = None
            while True:
                try:
                    connection = connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
                    connection.request("POST", "/v1/collect?project=default", body)
                    answer = connection.getresponse()
                    answer.read()
                    if answer.status == 200:
                        break
                except (OSError, http.client.HTTPException):
                    pass
                connection = None
                with self.lock:
                    self.refused += 1
                time.sleep(0.05)
            with self.lock:
                self.acknowledged += min(self.per_request, first + count - at)


def publish(port, page):
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/v1/rulesets/default?reason=cluster", (RULES % page).encode(),
        {"If-Match": "*", "Content-Type": "application/json"}, method="PUT")
    return json.load(urllib.request.urlopen(request))["version"]


def wait_for_rules(ports, version):
    """The time until every collector decides with a version of the rules, in seconds."""
    started = time.monotonic()
    for port in ports:
        while True:
            try:
                text = urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=2).read().decode()
                if text == f"ready default@{version}\n":
                    break
            except OSError:
                pass
            time.sleep(0.02)
    return time.monotonic() - started


def consume(brokers, topic, path, sent_all):
    """Writes the messages of a topic to a file, from the first on, until all have been sent and every partition is read to its end.

    It runs beside the collectors: the mock keeps no more than 5 MB of a partition.
    """
    # Only needed here.
    import confluent_kafka

    consumer = confluent_kafka.Consumer(
        {"bootstrap.servers": brokers, "group.id": "clickhouse", "auto.offset.reset": "earliest",
         # A broker that is down is part of the test.
         "log_level": 2})
    consumer.subscribe([topic])
    with open(path, "wb") as file:
        while True:
            is_last = sent_all.is_set()
            for message in consumer.consume(5_000, timeout=1):
                if not message.error():
                    file.write(message.value() + b"\n")
            places = consumer.position(consumer.assignment())
            # Of a partition from which nothing has been read, the position is a negative number.
            if is_last and places and all(max(place.offset, 0) >= consumer.get_watermark_offsets(place)[1] for place in places):
                break
    consumer.close()


def join(folder, path):
    """Writes the lines of complete files to one file."""
    with open(path, "wb") as joined:
        for file in sorted(folder.glob("decided-*.ndjson")):
            joined.write(file.read_bytes())


def main():
    options = events.arguments(__doc__, mock_cluster=pathlib.Path, events=200_000, kills=8, per_request=50)
    folder = options.folder
    running = []
    mock = options.mock_cluster and subprocess.Popen(
        [options.mock_cluster.resolve(), "encircle-decided", "encircle-rejects"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        cluster(options, folder, running, mock)
    finally:
        for process in running:
            if process.process.poll() is None:
                process.process.kill()
        if mock:
            mock.stdin.close()
            mock.wait()


def cluster(options, folder, running, mock):
    brokers = mock and mock.stdout.readline().strip()
    log = ["--kafka", brokers] if mock else ["--files", folder / "events"]
    control_port, balancer_port = processes.free_port(), processes.free_port()
    ports = [processes.free_port() for _ in range(COLLECTORS)]

    def start(name, *command, ready):
        running.append(Process(folder, name, *command, ready=ready))
        return running[-1]

    control = start(
        "control", options.encircle, "serve", "--data", folder / "control", "--port", control_port,
        ready=f"http://127.0.0.1:{control_port}/healthz")
    version = publish(control_port, "Home")
    collectors = [
        start(
            f"collector-{port}", options.encircle, "collect", "--control", f"http://127.0.0.1:{control_port}", "--port", port,
            "--rules-cache", folder / f"rules-{port}", *log, ready=f"http://127.0.0.1:{port}/readyz")
        for port in ports]
    configuration = folder / "haproxy.cfg"
    servers = "\n".join(f"    server collector{n} 127.0.0.1:{port}" for n, port in enumerate(ports, 1))
    configuration.write_text((HERE / "haproxy.cfg").read_text().format(port=balancer_port, servers=servers))
    start("haproxy", "haproxy", "-f", configuration, ready=f"http://127.0.0.1:{balancer_port}/readyz")
    print(f"http://127.0.0.1:{balancer_port}/v1/collect: HAProxy over {COLLECTORS} collectors, which write to {log[1]}")

    lines, sent_all = folder / "decided.ndjson", multiprocessing.Event()
    consumer = mock and multiprocessing.Process(
        target=consume, args=(brokers, "encircle-decided", lines, sent_all), daemon=True)
    if consumer:
        consumer.start()

    # Nothing fails.
    clients = Clients(balancer_port, options.per_request)
    quiet, per_client = options.events // 2, options.events // 2 // CLIENTS

    def run(first):
        threads = [
            threading.Thread(target=clients.send, args=(first + n * per_client, per_client)) for n in range(CLIENTS)]
        for thread in threads:
            thread.start()
        return threads

    def processor():
        return sum(processes.processor_seconds(collector.process.pid) for collector in collectors)

    started, before = time.monotonic(), processor()
    for thread in run(0):
        thread.join()
    elapsed, seconds = time.monotonic() - started, processor() - before
    memory = max(processes.peak_memory(collector.process.pid) for collector in collectors)
    print(f"{clients.acknowledged} events acknowledged in {elapsed:.1f} s by {CLIENTS} clients with {options.per_request} a request: "
          f"{seconds:.1f} s of processor in the collectors, {clients.acknowledged / seconds:.0f} events a second of it, {memory} MiB each at most")

    # Everything fails.
    dice = random.Random(1)
    threads = run(quiet)
    seconds = []
    for kill in range(options.kills):
        victim = collectors[kill % COLLECTORS]
        time.sleep(dice.uniform(0.05, 0.3))
        victim.end(signal.SIGKILL)
        if mock and kill == 1:
            mock.stdin.write("down 1\n")
            mock.stdin.flush()
        if mock and kill == 3:
            mock.stdin.write("up 1\n")
            mock.stdin.flush()
        if kill == 4:
            control.end(signal.SIGKILL)
        victim.start()
        if kill == 5:
            control.start()
        if kill in (2, 6):
            version = publish(control_port, "Cart")
            seconds.append(wait_for_rules(ports, version))
    for thread in threads:
        thread.join()
    print(f"{options.kills} kills: {clients.acknowledged} acknowledged, {clients.refused} requests sent again")
    print("rules in force in all collectors after", ", ".join(f"{one:.1f} s" for one in seconds))
    events.check("cluster", "events acknowledged", clients.acknowledged, per_client * CLIENTS * 2)
    for collector in collectors:
        events.check("cluster", "a collector that is asked to end", collector.end(signal.SIGTERM), 0)

    # Into ClickHouse.
    if consumer:
        sent_all.set()
        consumer.join()
    else:
        join(folder / "events", lines)
    with open(lines, "rb") as file:
        messages = sum(1 for _ in file)
    connection = chdb.connect(f"{folder}/db")
    for statement in events.statements((HERE / "tables.sql").read_text()):
        connection.query(statement)
    connection.query(f"""
        INSERT INTO events_decided
        SELECT JSONExtractString(d, 'key'), fromUnixTimestamp64Milli(JSONExtractInt(d, 'time')),
            fromUnixTimestamp64Milli(JSONExtractInt(d, 'received_at')), JSONExtractString(line, 'distinct_id'),
            JSONExtractString(line, 'event'), JSONExtract(d, 'rules', 'Array(String)'), JSONExtract(d, 'emit', 'Array(String)'),
            JSONExtractBool(d, 'selected'), JSONExtractString(d, 'rules_version'), line
        FROM (SELECT line, JSONExtractRaw(line, '$encircle') AS d FROM file('{lines}', LineAsString, 'line String'))""")

    def query(sql):
        return [json.loads(line) for line in str(connection.query(sql, "JSONEachRow")).splitlines()]

    print(f"{messages} messages, {messages - clients.acknowledged} of them repeats of requests whose answer was lost")
    counts = query("SELECT count() AS events, uniqExact(JSONExtractInt(json, '_track_id')) AS different FROM events")
    # All were sent until they were acknowledged.
    events.check("cluster", "lost and twice in ClickHouse", counts, [{"events": clients.acknowledged, "different": clients.acknowledged}])
    wrong = query("""
        SELECT count() AS wrong FROM events
        WHERE selected != (JSONExtractString(json, 'properties', '$screen_name') = if(rules_version = 'default@1', 'Home', 'Cart'))""")
    events.check("cluster", "decided by other rules than it says", wrong, [{"wrong": 0}])
    for row in query("SELECT rules_version, rules, count() AS events FROM events GROUP BY ALL ORDER BY ALL"):
        print(f"{row['rules_version']:12} {', '.join(row['rules']) or '-':8} {row['events']:10}")
    connection.query("""INSERT INTO events_decided (distinct_id, json) VALUES ('u', '{"n":1}'), ('u', '{"n":2}')""")
    without_key = query("SELECT count() AS events FROM events WHERE key = ''")
    events.check("cluster", "events without a key", without_key, [{"events": 2}])


if __name__ == "__main__":
    main()
