import EncircleText

/// The texts of a project's files: of open documents, else from disk. Each is read once.
final class DocumentTexts {
  private let project: RuleProject
  private let open: [UTF8String: OpenDocument]
  private var read: [UTF8String: DocumentText] = [:]

  init(_ project: RuleProject, _ open: [UTF8String: OpenDocument]) { (self.project, self.open) = (project, open) }

  /// Returns the text of a file; an empty one if the file cannot be read.
  subscript(path: String) -> DocumentText {
    let key = UTF8String(path)
    if let known = open[key]?.text ?? read[key] { return known }
    let text = DocumentText(project.text(of: path, open) ?? "")
    read[key] = text
    return text
  }
}
