#!/usr/bin/env python3
"""Trains the weights of EncircleDrift on pairs of screens with known truth.

    python3 Benchmarks/drift/train.py PAIRS                 train on PAIRS/ib.jsonl and ibfile.jsonl, write DriftModel+Trained.swift
    python3 Benchmarks/drift/train.py PAIRS --cross-validate  print tables for apps that the model has not seen

The features come from the library itself, through bench-drift, so that training and library cannot differ. All models
are logistic regressions, fitted by Newton's method; nothing is random but the folds, which depend on the names of apps.
"""
import argparse
import collections
import json
import pathlib
import subprocess
import tempfile

import numpy

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
UNCHANGED, CHANGED, GONE = 0, 1, 2
# Of DriftThreshold.
USUAL, STRICT = 0.45, 0.8
ROUNDS = 3


def read_features(path):
    """The names of the features, the keys of the rows, and the features."""
    with open(path, "rb") as file:
        names = json.loads(file.readline())
        rows = numpy.frombuffer(file.read(), dtype=numpy.float32).reshape(-1, len(names))
    return names[5:], rows[:, :5], rows[:, 5:]


def fit(names, features, right, weights, ridge):
    """A logistic regression by iteratively reweighted least squares."""
    used = features.std(axis=0) > 1e-6
    x = numpy.ascontiguousarray(
        numpy.column_stack([features[:, used], numpy.ones(len(features), dtype=numpy.float32)]), dtype=numpy.float32)
    right, weights = right.astype(numpy.float32), weights.astype(numpy.float32)
    beta = numpy.zeros(x.shape[1])
    penalty = numpy.full(x.shape[1], float(ridge))
    penalty[-1] = 1e-6
    for _ in range(20):
        probability = 1 / (1 + numpy.exp(-numpy.clip(x @ beta.astype(numpy.float32), -30, 30)))
        gradient = (x.T @ (weights * (right - probability))).astype(numpy.float64) - penalty * beta
        hessian = numpy.diag(penalty)
        for start in range(0, len(x), 65536):
            part = slice(start, start + 65536)
            scaled = x[part] * (weights[part] * probability[part] * (1 - probability[part]))[:, None]
            hessian += (scaled.T @ x[part]).astype(numpy.float64)
        step = numpy.linalg.solve(hessian, gradient)
        beta += step
        if abs(step).max() < 5e-3:
            break
    model = {name: 0.0 for name in names}
    for name, value in zip([n for n, u in zip(names, used) if u] + ["bias"], beta):
        model[name] = round(float(value), 3)
    return model


class Trainer:
    def __init__(self, tool, folder):
        self.tool = tool
        self.folder = pathlib.Path(folder)

    def features(self, stage, pairs, model):
        output = self.folder / "features"
        command = [self.tool, "features", stage]
        if model["local"]:
            (self.folder / "model.json").write_text(json.dumps(model))
            command += ["--model", self.folder / "model.json"]
        subprocess.run(command + [pairs, output], check=True)
        return read_features(output)

    def train(self, pairs, large):
        """A model from screens and, for what needs few pairs of views only, large screens."""
        model = {"local": {}, "rounds": [], "confidence": {}}
        weight_of_kind = numpy.array([0.4, 1, 1])
        names, keys, features = self.features("local", pairs, model)
        # The file has every sixth of the wrong pairs.
        model["local"] = fit(
            names, features, keys[:, 3], weight_of_kind[keys[:, 4].astype(int)] * numpy.where(keys[:, 3] > 0, 1, 6), 3)
        both = self.folder / "both.jsonl"
        both.write_text(pairs.read_text() + large.read_text())
        # Features that the pairs lack are set by hand, like their closest relatives.
        model["local"].update(UNTRAINED)
        for number in range(ROUNDS):
            names, keys, features = self.features(str(number), both, model)
            part = fit(names, features, keys[:, 3], weight_of_kind[keys[:, 4].astype(int)], 3)
            part.update(UNTRAINED)
            model["rounds"].append(part)
        names, keys, features = self.features("confidence", both, model)
        model["confidence"] = fit(names, features, keys[:, 3], numpy.ones(len(keys)), 3)
        return model

    def answers(self, pairs, model):
        (self.folder / "model.json").write_text(json.dumps(model))
        output = self.folder / "answers"
        subprocess.run([self.tool, "answers", "--model", self.folder / "model.json", pairs, output], check=True)
        return {record["id"]: record["answers"] for record in map(json.loads, open(output))}


UNTRAINED = {"actionsEqual": 2.0, "actionsDiffer": -1.5, "controllerEqual": 2.0, "controllerDiffers": -1.5}


def read_pairs(path):
    return [json.loads(line) for line in open(path, encoding="utf-8")]


def write_pairs(path, records):
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), encoding="utf-8")


def folds_of(records, count):
    """Apps, largest first, each into the fold that is smallest so far."""
    sizes = collections.Counter()
    for record in records:
        sizes[record["repo"]] += record["changed"]
    folds, fold_of = [0] * count, {}
    for app, size in sorted(sizes.items(), key=lambda item: (-item[1], item[0])):
        fold = folds.index(min(folds))
        fold_of[app] = fold
        folds[fold] += size
    return fold_of


def paths(xml):
    import xml.etree.ElementTree as tree
    result = []
    def walk(node, base, seen):
        key = base + "/" + node.get("class")
        path = f"{key}[{seen[key]}]"
        seen[key] += 1
        result.append(path)
        inner = collections.Counter()
        for child in node:
            walk(child, path, inner)
    walk(tree.fromstring(xml), "", collections.Counter())
    return result


class Judged:
    """The answers about all old views with truth, for scoring at any threshold."""

    def __init__(self, records, answers):
        rows = []
        for record in records:
            skipped = set(record.get("amb") or []) | set(record.get("unk") or [])
            old, new = paths(record["old"]), paths(record["new"])
            partners = {j for j in record["map"] if j is not None}
            for i, j in enumerate(record["map"]):
                if j is None and i in skipped:
                    continue
                answer = answers[record["id"]][i]
                kind = GONE if j is None else UNCHANGED if old[i] == new[j] else CHANGED
                place, score = answer if answer else (-1, -1.0)
                rows.append((kind, score, place == j, place in partners))
        self.kind, self.score, self.right, self.stolen = map(numpy.array, zip(*rows))

    def figures(self, threshold):
        given = self.score >= threshold
        changed, gone, kept = (self.kind == k for k in (CHANGED, GONE, UNCHANGED))
        right = (given & self.right & changed).sum()
        false = (given & gone).sum()
        return dict(
            recall=right / changed.sum(), wrong=(given & ~self.right & changed).sum() / changed.sum(),
            fmr=false / max(gone.sum(), 1), fsurv=(given & self.stolen & gone).sum() / max(gone.sum(), 1),
            same=(given & self.right & kept).sum() / max(kept.sum(), 1),
            acc=(right + gone.sum() - false) / (changed.sum() + gone.sum()))

    def threshold_for(self, rate):
        """The lowest threshold at which at most that share of deleted views gets an answer."""
        scores = numpy.sort(self.score[self.kind == GONE])[::-1]
        return float(scores[int(rate * len(scores))]) + 1e-6

    def best_threshold(self):
        return max(numpy.arange(0, 1, 0.01), key=lambda t: self.figures(t)["acc"])

    def print(self, name, thresholds):
        print(f"\n{name}: {(self.kind == CHANGED).sum()} changed, {(self.kind == GONE).sum()} gone")
        for label, threshold in thresholds:
            figures = " ".join(f"{key} {value:.3f}" for key, value in self.figures(threshold).items())
            print(f"  {label:12} {threshold:6.3f}  {figures}")


def cross_validate(trainer, folder, count):
    files = {name: read_pairs(folder / f"{name}.jsonl") for name in ("ib", "ibfile")}
    fold_of = folds_of(files["ib"], count)
    answers = {name: {} for name in files}
    for fold in range(count):
        training = trainer.folder / "training.jsonl"
        write_pairs(training, [r for r in files["ib"] if fold_of[r["repo"]] != fold])
        large = trainer.folder / "large.jsonl"
        write_pairs(large, [r for r in files["ibfile"] if fold_of[r["repo"]] != fold])
        model = trainer.train(training, large)
        for name, records in files.items():
            held = [r for r in records if fold_of.get(r["repo"], 0) == fold]
            write_pairs(trainer.folder / "held.jsonl", held)
            answers[name].update(trainer.answers(trainer.folder / "held.jsonl", model))
    judged = {name: Judged(records, answers[name]) for name, records in files.items()}
    ib = judged["ib"]
    thresholds = [("none", -0.5), ("usual", USUAL), ("strict", STRICT), ("best acc", ib.best_threshold())]
    thresholds += [(f"fmr {rate:.0%}", ib.threshold_for(rate)) for rate in (0.20, 0.18, 0.15, 0.10, 0.05)]
    for name in files:
        judged[name].print(f"{name}, cross-validated by app, {count} folds", thresholds)
    return judged


def swift(model):
    """The model as a Swift source."""
    def part(weights, name):
        lines = [f"  static let {name} = AdditiveModel(", f"    bias: {weights['bias']},", "    weights: ["]
        lines += [f"      {value},  // {key}" for key, value in weights.items() if key != "bias"]
        return lines + ["    ])"]
    lines = [
        "// Made by Benchmarks/drift/train.py.", "",
        "extension DriftModel {",
        "  /// The weights that are used, trained on screens of public apps; see `docs/decisions/drift.md`.",
        "  @_spi(Training) public static let trained = DriftModel(",
        "    local: TrainedWeights.local,",
        "    rounds: [" + ", ".join(f"TrainedWeights.round{n}" for n in range(ROUNDS)) + "],",
        "    confidence: TrainedWeights.confidence)", "}", "", "private enum TrainedWeights {"]
    lines += part(model["local"], "local")
    for number, weights in enumerate(model["rounds"]):
        lines += [""] + part(weights, f"round{number}")
    return "\n".join(lines + [""] + part(model["confidence"], "confidence") + ["}"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pairs", type=pathlib.Path, help="folder with ib.jsonl and ibfile.jsonl")
    parser.add_argument("--cross-validate", type=int, nargs="?", const=4, metavar="FOLDS")
    parser.add_argument("--tool", default=ROOT / "Benchmarks/.build/release/bench-drift")
    parser.add_argument("--output", type=pathlib.Path,
                        default=ROOT / "Sources/EncircleDrift/Scores/DriftModel+Trained.swift")
    options = parser.parse_args()
    if not (options.pairs / "ib.jsonl").exists():
        options.pairs /= "pairs"
    with tempfile.TemporaryDirectory() as folder:
        trainer = Trainer(options.tool, folder)
        if options.cross_validate:
            cross_validate(trainer, options.pairs, options.cross_validate)
        else:
            options.output.write_text(swift(trainer.train(options.pairs / "ib.jsonl", options.pairs / "ibfile.jsonl")))


if __name__ == "__main__":
    main()
