import EncircleTestSupport
import Foundation
import Testing

@testable import EncircleService

@Suite struct ResourceTests {
  @Test func `the program has the files of the folder Web; Scripts/embed lists them`() throws {
    let folder = PackageFolder.root.appendingPathComponent("Web")
    var files: Set<String> = []
    for group in ["openapi", "page"] {
      let names = try #require(FileManager.default.enumerator(atPath: folder.appendingPathComponent(group).path))
      for case let name as String in names where name.contains(".") && !name.hasPrefix(".") {
        files.insert("\(group)/\(name)")
      }
    }
    // CodeMirror comes from a package of the system.
    let own = Resources.paths.filter { !$0.hasPrefix("page/codemirror/") }
    #expect(Set(own) == files)
    #expect(Resources.file("page/codemirror/codemirror.js").map { !$0.isEmpty } == true)
    for file in files {
      #expect(try Resources.file(file) == Data(contentsOf: folder.appendingPathComponent(file)), "\(file)")
    }
  }
}
