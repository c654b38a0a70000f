import ArgumentParser
import EncircleRuleFiles
import EncircleText

/// The codes of findings that `--codes` names, separated by commas.
struct CheckCodes {
  let codes: Set<CheckCode>

  /// - Throws: A `ValidationError` for a word that is not a code, with the nearest one.
  init(parsing argument: String) throws {
    var codes: Set<CheckCode> = []
    for part in argument.splitBytes(at: ",", omittingEmptySubsequences: false) {
      let word = String(part.trimmingPrefix { $0 == " " })
      guard let code = CheckCode(rawValue: word) else {
        let nearest = Diagnostic.nearest(to: word, among: CheckCode.allCases.map(\.rawValue))
        throw ValidationError(
          "There is no finding '\(word)'."
            + (nearest.map { " Did you mean '\($0)'?" } ?? " 'encircle check --list' explains all of them."))
      }
      codes.insert(code)
    }
    self.codes = codes
  }
}
