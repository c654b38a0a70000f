import Testing

@testable import EncircleService

/// The file of tokens that a collector requires of those who send events.
@Suite struct CollectorTokenTests {
  @Test func `a token has one line in the file, because only one of its roles or projects would count`() throws {
    let token = "0123456789abcdef"
    for second in ["read \(token)", "collect \(token)", "collect \(token) shop"] {
      let error = #expect(throws: CollectorTokens.Problem.self) {
        try CollectorTokens("# apps\ncollect \(token)\n\(second)\n")
      }
      #expect(error?.line == 3 && error?.description == "this is the collect token of line 2 as well")
    }
  }

  @Test(arguments: ["", " \r\n\n", "# collect 0123456789abcdef\n"])
  func `a file without tokens is refused, because it would let everybody in`(text: String) throws {
    let error = #expect(throws: CollectorTokens.Problem.self) { try CollectorTokens(text) }
    #expect(error?.line == 1 && error?.description == "there are no tokens in this file")
  }
}
