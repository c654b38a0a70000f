import ArgumentParser
import EncircleAuthoring
import EncircleIdentity
import EncircleInput
import EncircleRuleFiles
import EncircleText

/// The files with the anchors of rules.
enum AnchorPath {
  /// The message that web pages cannot have anchors.
  static let noPages = "an anchor cannot hold a web page: keep the capture"

  /// Adds the anchor of rules on a capture to the anchors in a file, which is made if it is missing.
  ///
  /// - Throws: An exit code, after printing the problem, such as that the capture can have no anchors.
  static func add(_ rules: [UTF8String], on screen: NamedScreen, to path: String) throws {
    guard Anchor.canHold(screen.screen) else {
      throw ExitStatus.badData.failure("\(screen.name): error: \(noPages)")
    }
    var file = try readIfPresent(path)
    file.set([Anchor(of: screen, rules: rules)])
    try FileReplacement.save(Array(file.text.utf8), over: path)
  }

  /// Returns the path of the anchors beside a rule file, or in a directory with rules.
  static func beside(_ rules: String) -> String {
    if RuleDirectory.isRegularFile(rules) {
      return "\(RuleDirectory.stem(of: rules) ?? rules[...]).\(AnchorFile.fileExtension)"
    }
    return FilePath.joining(rules, "rules." + AnchorFile.fileExtension)
  }

  /// Reads a file of anchors; nil if the file is missing or is another kind of file.
  static func read(_ path: String) throws -> AnchorFile? {
    guard path != "-", RuleDirectory.isRegularFile(path) else { return nil }
    do {
      var source = try ByteSource(path: path)
      var start: [UInt8] = []
      while start.count < longestStart {
        let count = start.count
        _ = try source.read(into: &start, atMost: longestStart - count)
        if start.count == count { break }
      }
      guard AnchorFile.isAnchorFile(start) else { return nil }
      let limits = AnchorLimits()
      return try AnchorFile(start + source.readAll(limit: limits.bytes), limits: limits)
    } catch let error as AnchorError {
      throw ExitStatus.badData.failure("\(path):\(error)")
    } catch let error as InputError {
      throw ExitStatus(error).failure("\(path): error: \(error)")
    }
  }

  /// Reads a file of anchors that the command rewrites. A missing file counts as one without anchors.
  static func readIfPresent(_ path: String) throws -> AnchorFile {
    if let file = try read(path) { return file }
    guard !RuleDirectory.isRegularFile(path) else {
      throw ExitStatus.badData.failure("\(path): error: this is not a file of anchors, and is not overwritten")
    }
    return AnchorFile()
  }

  private static let longestStart = 32
}
