import EncircleInput
import EncircleRuleFiles
import EncircleText
import Foundation

/// Reads a configuration from a YAML file, using the table of settings.
///
/// ```yaml
/// data: /var/lib/encircle
/// port: 8080
/// limits: { body_bytes: 16777216 }
/// ```
extension ServiceConfiguration {
  private static let maximumBytes = 1 << 20

  /// Applies the settings of a file; all others stay as they are.
  ///
  /// - Throws: `InputError` if the file cannot be read, otherwise ``RuleFileErrors`` with all its errors.
  public mutating func read(file: String) throws {
    var source = try ByteSource(path: file)
    let bytes = try source.readAll(limit: Self.maximumBytes)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw RuleFileErrors([Diagnostic(notUTF8: bytes, file: file)], isMissingInput: false)
    }
    try read(text, name: file)
  }

  mutating func read(_ text: String, name: String) throws(RuleFileErrors) {
    var reader = NodeReader(text, name: name)
    var changed = self
    if let root = reader.root() { changed.read(root, &reader, folder: URL(fileURLWithPath: name)) }
    guard reader.diagnostics.isEmpty else { throw RuleFileErrors(reader.diagnostics, isMissingInput: false) }
    self = changed
  }

  private mutating func read(_ root: Node, _ reader: inout NodeReader, folder: URL) {
    let groups = Set(Setting.all.compactMap(\.group))
    let keys = Setting.all.filter { $0.group == nil }.map(\.name) + groups.sorted()
    guard let members = reader.members(of: root, "a configuration", allowed: keys) else { return }
    read(Setting.all.filter { $0.group == nil }, members, &reader, folder: folder)
    for group in groups.sorted() {
      let settings = Setting.all.filter { $0.group == group }
      guard let node = members[group],
        let members = reader.members(of: node, group, allowed: settings.map(\.name))
      else { continue }
      read(settings, members, &reader, folder: folder)
    }
  }

  private mutating func read(
    _ settings: [Setting], _ members: NodeMembers, _ reader: inout NodeReader, folder: URL
  ) {
    for setting in settings {
      if let node = members[setting.name] { read(setting, node, &reader, folder: folder) }
    }
  }

  /// Applies one value. A wrong value is reported, and leaves the configuration unchanged.
  private mutating func read(_ setting: Setting, _ node: Node, _ reader: inout NodeReader, folder: URL) {
    func path(_ text: String) -> String {
      text.beginsWithBytes(of: "/") ? text : folder.deletingLastPathComponent().appendingPathComponent(text).path
    }
    switch setting.kind {
    case .number(let place, let range):
      self[keyPath: place] = reader.number(node, in: range) ?? self[keyPath: place]
    case .flag(let place): self[keyPath: place] = reader.flag(node) ?? self[keyPath: place]
    case .text(let place, let what):
      if let name = reader.name(node, what) { self[keyPath: place] = name.text }
    case .directory(let place):
      if let name = reader.name(node, "a directory") { self[keyPath: place] = path(name.text) }
    case .file(let place, let what):
      if let name = reader.name(node, what) { self[keyPath: place] = path(name.text) }
    case .texts(let place, let what, let isRight): self[keyPath: place] = reader.texts(node, what, where: isRight)
    case .files(let place, let what): self[keyPath: place] = reader.texts(node, what).map(path)
    case .namedFiles(let place, let what):
      self[keyPath: place] = reader.texts(node, what).map { text in
        // NAME=FILE
        let parts = text.splitBytes(at: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 1 ? path(text) : "\(parts[0])=\(path(String(parts[1])))"
      }
    case .logFormat(let place):
      self[keyPath: place] = reader.word(node, "log format") ?? self[keyPath: place]
    case .logLevel(let place): self[keyPath: place] = reader.word(node, "log level") ?? self[keyPath: place]
    }
  }
}

extension NodeReader {
  fileprivate mutating func number(_ node: Node, in range: ClosedRange<Int>) -> Int? {
    // YAML allows underscores, as in 16_777_216.
    if let text = node.scalar?.string, let number = Int(text.replacingBytes(of: "_", with: "")), range.contains(number)
    {
      return number
    }
    report("expected a whole number from \(range.lowerBound) to \(range.upperBound)", at: node)
    return nil
  }

  /// Returns the texts of a list, or the single text in its place.
  fileprivate mutating func texts(
    _ node: Node, _ what: String, where isRight: (String) -> Bool = { _ in true }
  ) -> [String] {
    (node.sequence.map(Array.init) ?? [node]).compactMap { node in
      guard let text = name(node, what)?.text else { return nil }
      if isRight(text) { return text }
      report("expected \(what)", at: node)
      return nil
    }
  }

  fileprivate mutating func word<Word: RawRepresentable & CaseIterable>(_ node: Node, _ what: String) -> Word?
  where Word.RawValue == String {
    let words = Word.allCases.map(\.rawValue)
    guard let text = name(node, "a \(what)")?.text else { return nil }
    if let word = Word(rawValue: text) { return word }
    reportUnknown(text, "\(what) '\(text)'", among: words, at: node, expected: NodeReader.list(words))
    return nil
  }
}
