import EncircleTestSupport
import Foundation
import Testing

/// Lines of standard input.
@Suite struct InputLineTests {
  private static let limit = 2 << 20

  @Test(
    "a line that is too long is an error with its number, and all others are read", arguments: [0, 3 << 20])
  func tooLong(excess: Int) throws {
    let long = "path(" + String(repeating: "a", count: Self.limit - 6 + excess) + ")"
    let input = "path(A)\n\(long)\r\n\npath(B)\r\npath(C)"
    // The carriage return counts, too.
    let isTooLong = excess + 1 > 0
    let result = try Tool.run(["id", "-"], input: Array(input.utf8))
    #expect(result.errors.contains("<stdin>:2: error: longer than the limit of 2097152 bytes\n") == isTooLong)
    #expect(result.status == 65)
    let identities = result.lines.compactMap { $0.split(separator: "  ").last }
    #expect(identities.filter { $0.hasPrefix("path") } == ["path(A)", "path(B)", "path(C)"])
    let few = try Tool.run(["convert", "--from", "hubbledata", "--to", "sensors", "-"], input: Array(input.utf8))
    #expect(few.errors.contains("<stdin>:2: error: longer than"))
    #expect(few.status == 65)
  }

  @Test("a line of the maximum length is read")
  func longest() throws {
    let long = "path(" + String(repeating: "a", count: Self.limit - 6) + ")"
    let result = try Tool.run(["id", "-"], input: Array(long.utf8))
    #expect(result.status == 0)
    #expect(result.output.count == Self.limit + 67)
  }

  @Test(
    "the last line may lack a line end, and empty input has no lines",
    arguments: [("", 0), ("\n", 1), ("a", 1), ("a\n", 1), ("a\n\n", 2)])
  func ends(input: String, count: Int) throws {
    #expect(try Tool.run(["id", "-"], input: Array(input.utf8)).output.count { $0 == 0x0A } == count)
  }

  @Test("a byte order mark is skipped, and a line that is not UTF-8 is an error with its number")
  func encoding() throws {
    let plain = try Tool.run(["id", "-"], input: Array("path(A)\npath(B)\n".utf8))
    let marked = try Tool.run(
      ["id", "-"], input: [0xEF, 0xBB, 0xBF] + Array("path(A)\npath(".utf8) + [0xFF] + Array(")\npath(B)\n".utf8))
    #expect(marked.output == plain.output && plain.lines.count == 2)
    #expect(marked.status == 65 && marked.errors == "<stdin>:2: error: not valid UTF-8\n", "\(marked.errors)")
  }

  @Test("lookup bounds its lines, too")
  func lookup() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("a.xml", viewTree("<view class='UIWindow'/>"))
    #expect(try Tool.run(["index", "a.xml", "-o", "d"], in: folder.url).status == 0)
    let input = "00000000\n" + String(repeating: "0", count: 1 << 20) + "\n 11111111 \n"
    let result = try Tool.run(["lookup", "--dictionary", "d"], in: folder.url, input: Array(input.utf8))
    #expect(result.errors.contains("<stdin>:2: error: longer than the limit of 4096 bytes\n"))
    #expect(result.lines.count == 2)
    #expect(result.status == 65)
  }
}
