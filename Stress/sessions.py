"""Cases of `replay`: sessions with many signals, and signals that grow."""

from captures import view_tree, window
from judge import Case
from measure import Command, repeated

CASES = []

CONFIG = '{"action":"config","pageLeave":true,"session":true,"flushes":true}\n'

def signal(i, members):
    return f'{{"time":{1765000000000 + 1000 * i},"uptime":{1000 + i},"action":{members}}}\n'


HEAD = [CONFIG, signal(0, '"launch"'), signal(1, '"init"')]


def case(dimension, start, pieces, statuses=(0, 65), **options):
    """A session whose signals after the start are made of `pieces`; it comes through a pipe."""
    def generate(box, size):
        return Command(["replay", "-"], feed=[*HEAD, pieces(size)])
    CASES.append(Case("replay", dimension, start, generate, statuses=statuses, **options))


def signals(members):
    """A number of signals, each made from its number."""
    return lambda n: (signal(i + 2, members(i)) for i in range(n))


# Streams: the state of the process and the device does not grow, so that memory is bounded.
case("signals of a long session", 1 << 13, signals(lambda i: (
    '"tap","view":"buy","class":"UIButton","attributes":{"title":"Buy"}', '"track","event":"Viewed","properties":{"n":1}',
    '"appear","controller":"home","class":"HomeViewController"', '"disappear","controller":"home"',
    '"notification","name":"willResignActive"', '"notification","name":"didEnterBackground"',
    '"notification","name":"willEnterForeground"', '"notification","name":"didBecomeActive"')[i % 8]), bound=40)
case("processes", 1 << 12, signals(lambda i: ('"launch"', '"init"', '"appear","controller":"home"', '"kill"')[i % 4]), bound=40)
case("controllers that come and go", 1 << 12, signals(lambda i: (
    f'"appear","controller":"c{i // 3}"', f'"disappear","controller":"c{i // 3}"', f'"dealloc","controller":"c{i // 3}"')[i % 3]), bound=60)
case("signals without a process", 1 << 12, signals(lambda i: '"kill"'), bound=40)
case("unknown names that are taps", 1 << 10, signals(lambda i: f'"tap","view":"v{i}"'))
case("views inside views", 16, signals(lambda i: f'"view","view":"v{i}"' + (f',"in":"v{i - 1}"' if i else "")))
case("subviews of one view", 1 << 8, signals(lambda i: f'"view","view":"v{i}"' + (',"in":"v0"' if i else "")))
case("timers", 1 << 8, signals(lambda i: f'"timerStart","event":"e{i}"'))
case("super properties", 1 << 5, signals(lambda i: f'"superProperties","properties":{{"p{i}":1}}'))
case("events of extensions", 1 << 8, signals(lambda i: '"extensionEvent","event":"E"'))
case("bytes of a text", 1 << 14, lambda n: [signal(2, '"wait"'), '{"time":3,"uptime":1003,"action":"track","event":"E","properties":{"p":"', repeated("x", n), '"}}\n'])
case("bytes of a line without an end", 1 << 14, lambda n: repeated("x", n))
case("empty lines", 1 << 13, lambda n: repeated("\n", n), bound=40)
case("levels of a property", 16, lambda n: ['{"time":3,"uptime":1003,"action":"track","event":"E","properties":{"p":', repeated("[", n), repeated("]", n), "}}\n"])


def captured(box, size):
    cells = (f'<view class="Cell" superclasses="UITableViewCell UIView" indexPath="0 {i}"><view class="UIButton" title="b{i}"/></view>' for i in range(size))
    box.file("a.xml", view_tree(window('<view class="UITableView" controller="C">', cells, "</view>")))
    lines = (signal(i + 2, f'"tap","capture":"a.xml","element":{2 + 2 * i}') for i in range(min(size, 9_000)))
    return Command(["replay", box.file("s.session.ndjson", *HEAD, lines)])


CASES.append(Case("replay", "elements of a capture that are tapped", 1 << 8, captured, statuses=(0, 65)))
