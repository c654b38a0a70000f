import EncircleTestSupport
import Foundation
import Testing

/// Looks for what the documentation refers to.
@Suite struct DocumentLinkTests {
  @Test("links lead to files and headings that exist", arguments: MarkdownDocument.names)
  func links(name: String) throws {
    let document = try MarkdownDocument(name: name)
    let folder = PackageFolder.root.appendingPathComponent(name).deletingLastPathComponent()
    for (number, line) in document.textLines {
      for target in Self.linkTargets(in: line) where !target.contains("://") {
        let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let file = parts[0].isEmpty ? document.name : parts[0]
        let url =
          parts[0].isEmpty ? PackageFolder.root.appendingPathComponent(name) : folder.appendingPathComponent(file)
        guard FileManager.default.fileExists(atPath: url.path) else {
          Issue.record("\(name):\(number): there is no \(target)")
          continue
        }
        if parts.count == 2 {
          let text = String(decoding: try PackageFolder.bytes(url), as: UTF8.self)
          let anchors = MarkdownDocument(name: file, text: text).textLines.compactMap {
            Self.anchor(ofHeading: $0.line)
          }
          if !anchors.contains(parts[1]) { Issue.record("\(name):\(number): there is no heading for \(target)") }
        }
      }
    }
  }

  @Test("first steps fit on one screen", arguments: MarkdownDocument.names.filter { $0.contains("first-steps/") })
  func firstSteps(name: String) throws {
    #expect(try MarkdownDocument(name: name).lines.count <= 47)
  }

  @Test("source files that the documentation names exist", arguments: MarkdownDocument.names)
  func sourceFiles(name: String) throws {
    let known = try #require(
      FileManager.default.enumerator(atPath: PackageFolder.root.appendingPathComponent("Sources").path))
    let files = Set(known.compactMap { ($0 as? String)?.split(separator: "/").last.map(String.init) })
    for (number, line) in try MarkdownDocument(name: name).textLines {
      for (i, code) in line.split(separator: "`", omittingEmptySubsequences: false).enumerated() where i % 2 == 1 {
        guard code.hasSuffix(".swift"), !code.contains("*"), !code.contains(" "), code != "Package.swift" else {
          continue
        }
        let parts = code.split(separator: "/").map(String.init)
        func isThere(_ path: String) -> Bool {
          FileManager.default.fileExists(atPath: PackageFolder.root.appendingPathComponent(path).path)
        }
        // A path that begins with a module is a whole one; else a name will do.
        let isWhole = parts.count > 1 && isThere("Sources/\(parts[0])")
        let exists = isWhole ? isThere("Sources/\(code)") : files.contains(parts.last ?? "") || isThere(String(code))
        if !exists { Issue.record("\(name):\(number): there is no \(code)") }
      }
    }
  }

  /// The targets of links such as `[text](target)`.
  private static func linkTargets(in line: String) -> [String] {
    line.components(separatedBy: "](").dropFirst().compactMap { rest in
      rest.firstIndex(of: ")").map { String(rest[..<$0]) }
    }
  }

  /// The anchor of a heading as code hosts make it: lower case, spaces as hyphens, without punctuation; nil for other lines.
  private static func anchor(ofHeading line: String) -> String? {
    guard line.hasPrefix("#") else { return nil }
    let title = line.drop { $0 == "#" }.drop { $0 == " " }.lowercased()
    return String(
      title.compactMap { character -> Character? in
        if character == " " { return "-" }
        return character.isLetter || character.isNumber || character == "-" || character == "_" ? character : nil
      })
  }
}
