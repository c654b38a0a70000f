import EncircleRuleFiles
import EncircleText

extension LanguageServer {
  /// Returns the edits that format a document as `encircle fmt` does: a single one for the lines that change; nil for a file of
  /// another tool, which may be open in the same editor.
  func format(_ params: LSP.DocumentParams) -> [LSP.TextEdit]? {
    guard let (path, document) = document(params.textDocument.uri),
      project(of: path)?.contains(path.text) == true || RuleDirectory.Companion(ofFile: path.text) == .coverage
    else { return nil }
    let formatted: String
    do throws(RuleFileErrors) {
      formatted = try RuleFileFormatter.format(document.text.whole, name: path.text)
    } catch {
      // Editors format on every save, and a diagnostic already shows the mistake.
      log("not formatted: \(error.description)")
      return nil
    }
    let text = document.text
    let new = Array(formatted.utf8)
    let old = text.bytes
    var start = 0
    var same = 0
    while same < min(old.count, new.count), old[same] == new[same] {
      if old[same] == 0x0A { start = same + 1 }
      same += 1
    }
    if same == old.count, same == new.count { return [] }
    // The number of bytes in the last lines that are equal in both texts.
    var end = 0
    var count = 0
    while count < min(old.count, new.count) - start, old[old.count - 1 - count] == new[new.count - 1 - count] {
      count += 1
      if old.count - 1 - count < 0 || old[old.count - 1 - count] == 0x0A { end = count }
    }
    end = min(end, old.count - start, new.count - start)
    let replacement = String(decoding: new[start..<new.count - end], as: UTF8.self)
    return [LSP.TextEdit(range: text.range(start..<old.count - end, encoding), newText: replacement)]
  }
}
