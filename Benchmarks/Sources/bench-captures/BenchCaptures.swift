import EncircleCapture
import EncircleIdentity
import EncircleTree
import Foundation

/// Times the stages from a capture in memory to event IDs, one thread, CPU time, best and median of several runs.
///
///     swift run -c release --package-path Benchmarks bench-captures [-r RUNS] [--read-only] FILE…
@main
struct BenchCaptures {
  static func main() throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    var runs = 15
    if arguments.first == "-r", arguments.count > 2, let number = Int(arguments[1]) {
      runs = number
      arguments.removeFirst(2)
    }
    let readOnly = arguments.first == "--read-only"
    if readOnly { arguments.removeFirst() }
    guard !arguments.isEmpty else {
      print("usage: bench-captures [-r RUNS] [--read-only] FILE…")
      exit(64)
    }
    var reader = CaptureReader()
    reader.limits.bytes = 1 << 30
    let files = try arguments.map { Array(try Data(contentsOf: URL(fileURLWithPath: $0))) }
    let megabytes = Double(files.reduce(0) { $0 + $1.count }) / 1e6
    let trees = try files.map { try reader.read($0) }
    let elements = Double(trees.reduce(0) { $0 + $1.count })
    print("\(files.count) files, \(String(format: "%.1f", megabytes)) MB, \(Int(elements)) elements, \(runs) runs")

    var checksum = 0
    func time(_ name: String, _ work: () throws -> Void) rethrows {
      var seconds: [Double] = []
      for _ in 0..<runs {
        let start = clock()
        try work()
        seconds.append(Double(clock() - start) / Double(CLOCKS_PER_SEC))
      }
      seconds.sort()
      let figures = [seconds[0], seconds[runs / 2]].map {
        String(format: "%.1f MB/s, %.0f elements/s", megabytes / $0, elements / $0)
      }
      print("\(name): best \(figures[0]); median \(figures[1])")
    }
    try time("read") {
      for file in files { checksum &+= try reader.read(file).count }
    }
    if readOnly { return }
    time("locate (structure, locators)") {
      for tree in trees { checksum &+= IdentifiedTree(tree).tree.count }
    }
    let screens = trees.map { IdentifiedTree($0) }
    time("hash (paths, identities, event IDs)") {
      for screen in screens {
        screen.forEachIdentity { element, _, identity, eventID in checksum &+= identity.count &+ eventID.hashValue }
      }
    }
    try time("all") {
      for file in files {
        IdentifiedTree(try reader.read(file)).forEachIdentity { _, _, identity, _ in checksum &+= identity.count }
      }
    }
    print("checksum \(checksum)")
  }
}
