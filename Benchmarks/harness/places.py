"""The folders: the repository, the cache of generated data, and the external workload, which is elsewhere (README.md)."""
import hashlib
import os
import shutil
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parent.parent
REPOSITORY = BENCHMARKS.parent
CACHE = Path(os.environ.get("ENCIRCLE_BENCH") or REPOSITORY / ".build/bench").resolve()
SHARED = Path(os.environ.get("ENCIRCLE_SHARED") or REPOSITORY / "../shared").resolve() / "bench"


def has_shared():
    return (SHARED / "gen.py").exists()


def digest(*files):
    """A short name for the contents of files."""
    return hashlib.sha256(b"".join(Path(file).read_bytes() for file in files)).hexdigest()[:8]


def made(path, make):
    """The file, made if it is missing: `make` gets another path, so that an incomplete file is never used."""
    path = Path(path)
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        half = path.with_name(path.name + ".half")
        if half.is_dir():
            shutil.rmtree(half)
        make(half)
        half.rename(path)
    return path


def head(source, count, path):
    """The first lines of a file, in a file."""
    def write(half):
        with open(source, "rb") as lines, open(half, "wb") as output:
            for _, line in zip(range(count), lines):
                output.write(line)
    return made(path, write)


def say(text):
    """Prints progress, which is not a result."""
    print(text, file=sys.stderr, flush=True)
