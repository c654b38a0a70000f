/// Changes of files in the unified format, which `patch` and `git apply -p0` read (POSIX, diff -u).
package enum UnifiedDiff {
  /// The number of lines around a change that are shown.
  private static let context = 3

  /// Returns the difference between two texts; empty if they are equal.
  ///
  /// - Parameters:
  ///   - name: The name of the file.
  ///   - oldName: The old name; nil if it has not changed.
  ///   - escapes: True to escape characters that a terminal would obey or hide; otherwise lines are written byte for byte.
  package static func text(
    of name: String, was oldName: String? = nil, from old: String, to new: String, escapes: Bool = false
  ) -> String {
    let difference = LineDifference(from: Array(old.utf8), to: Array(new.utf8))
    guard !difference.changes.isEmpty else { return "" }
    var text = "--- \(shown(oldName ?? name))\n+++ \(shown(name))\n"
    var first = 0
    for i in difference.changes.indices {
      let next = i + 1
      if next < difference.changes.count,
        difference.changes[next].old.lowerBound - difference.changes[i].old.upperBound <= 2 * context
      {
        continue
      }
      append(difference.changes[first..<next], of: difference, escapes, to: &text)
      first = next
    }
    return text
  }

  private static func shown(_ name: String) -> String {
    // Readers expect a time behind a tab; without the tab, they would end a name with spaces at its first space.
    VisibleText.escaping(name) + (name.utf8.contains(0x20) ? "\t" : "")
  }

  private static func append(
    _ changes: ArraySlice<LineDifference.Change>, of difference: LineDifference, _ escapes: Bool,
    to text: inout String
  ) {
    guard let first = changes.first, let last = changes.last else { return }
    let before = min(context, first.old.lowerBound)
    let after = min(context, difference.oldLines.count - last.old.upperBound)
    let old = first.old.lowerBound - before..<last.old.upperBound + after
    let new = first.new.lowerBound - before..<last.new.upperBound + after
    text += "@@ -\(range(old)) +\(range(new)) @@\n"
    var position = old.lowerBound
    for change in changes {
      append(difference.oldLines[position..<change.old.lowerBound], " ", escapes, to: &text)
      append(difference.oldLines[change.old], "-", escapes, to: &text)
      append(difference.newLines[change.new], "+", escapes, to: &text)
      position = change.old.upperBound
    }
    append(difference.oldLines[position..<old.upperBound], " ", escapes, to: &text)
  }

  private static func append(
    _ lines: ArraySlice<ArraySlice<UInt8>>, _ sign: String, _ escapes: Bool, to text: inout String
  ) {
    for line in lines {
      let isEnded = line.last == 0x0A
      let content = String(decoding: isEnded ? line.dropLast() : line, as: UTF8.self)
      text += sign + (escapes ? VisibleText.escaping(content, keepingTabs: true) : content) + "\n"
      if !isEnded { text += "\\ No newline at end of file\n" }
    }
  }

  /// Returns the first line and the number of lines. For an empty range, the line before it takes the place of the first line.
  private static func range(_ lines: Range<Int>) -> String {
    let start = lines.isEmpty ? lines.lowerBound : lines.lowerBound + 1
    return lines.count == 1 ? "\(start)" : "\(start),\(lines.count)"
  }
}
