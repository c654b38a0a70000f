import EncircleColumns
import EncircleRuleFiles
import EncircleRules
import Foundation

/// Reads the bytes as rows of an engine; the first byte determines the format and the columns.
///
/// However the rows are split into pieces, the answers must be the same, and each line must get exactly one.
func readRows(_ input: [UInt8]) -> CInt {
  guard let first = input.first else { return 0 }
  let format = RowFormat.allCases[Int(first & 3) % RowFormat.allCases.count]
  let columns = columnSets[Int(first >> 2) % columnSets.count].filter { format.takes($0) }
  let rows = Array(input.dropFirst())
  let whole = answers(to: rows, format, columns, piece: max(1, rows.count))
  let pieces = answers(to: rows, format, columns, piece: 7 + 97 * Int(first >> 4))
  precondition(whole == pieces, "the answers depend on how rows are cut")
  if format != .rowBinary {
    let lines = rows.split(separator: 0x0A, omittingEmptySubsequences: false)
    let count = lines.count - (lines.last?.isEmpty == true ? 1 : 0)
    precondition(whole.count { $0 == 0x0A } == count, "not one answer for each row")
  }
  return 0
}

private let columnSets: [[EventColumn]] = [
  EventColumn.defaults, [.event], [.field(.event), .field(.time), .propertiesJSON], [.field(.page), .properties],
]

/// Returns the answers up to the first unreadable byte.
private func answers(to rows: [UInt8], _ format: RowFormat, _ columns: [EventColumn], piece: Int) -> [UInt8] {
  var transformer = RowTransformer(format, columns, rules: rulesFolder, lengthLimit: 1 << 14)
  do throws(RowStreamError) {
    for start in stride(from: 0, to: rows.count, by: piece) {
      let part = Array(rows[start..<min(start + piece, rows.count)])
      let result = part.withUnsafeBufferPointer { bytes in
        Result { () throws(RowStreamError) in try transformer.append(bytes) }
      }
      try result.get()
    }
    try transformer.finish()
  } catch {
    _ = error.description
  }
  return transformer.output
}

/// A folder with the version v1.
private let rulesFolder: String = {
  let text = """
    version: 1
    rules:
      - { id: a, include: { page: A, selector: "B/**/C" } }
      - { id: b, include: { event: x, where: { p: { contains: q } } } }
      - { id: c, exclude: { where: { p: r } } }

    """
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("encircle-fuzz-rows-\(getpid())")
  do {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let compiled = try Matcher(try RuleFiles(text: text).ruleSet()).compiled()
    try Data(compiled).write(to: folder.appendingPathComponent("v1.rules"))
  } catch {
    preconditionFailure("the rules cannot be written: \(error)")
  }
  return folder.path
}()
