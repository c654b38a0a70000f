import EncircleTestSupport
import Foundation
import Testing

/// Compares an output with a file of `Golden`, byte by byte; `UPDATE_GOLDEN=1` writes the file anew.
func compareWithGolden(_ actual: [UInt8], _ name: String) throws {
  let file = PackageFolder.root.appendingPathComponent("Tests/EncircleToolTests/Golden/" + name)
  if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
    try Data(actual).write(to: file)
    return
  }
  let expected = try PackageFolder.bytes(file)
  guard actual != expected else { return }
  let old = String(decoding: expected, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
  let new = String(decoding: actual, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
  let place = zip(old, new).enumerated().first { $1.0 != $1.1 }?.offset ?? min(old.count, new.count)
  let lines = [old, new].map { place < $0.count ? $0[place] : "(end)" }
  Issue.record("\(name), line \(place + 1):\n  expected \(lines[0])\n  found    \(lines[1])")
}
