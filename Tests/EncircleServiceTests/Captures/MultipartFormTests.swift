import Foundation
import Testing

@testable import EncircleService

@Suite struct MultipartFormTests {
  private func parts(_ body: String) throws -> [String: String] {
    let bytes = Array(body.utf8)
    let form = try MultipartForm(bytes, boundary: "b")
    return Dictionary(
      uniqueKeysWithValues: form.parts.map { ($0.name, String(decoding: bytes[$0.content], as: UTF8.self)) })
  }

  @Test func `parts are read as browsers, curl and the probe write them`() throws {
    let head = "Content-Disposition: form-data; name="
    #expect(try parts("--b\r\n\(head)\"a\"\r\n\r\n1\r\n--b--") == ["a": "1"])
    #expect(try parts("--b\r\n\(head)a\r\n\r\n\r\n--b--\r\n") == ["a": ""])
    #expect(
      try parts("preamble\r\n--b \t\r\nX: y\r\ncontent-disposition:form-data;name=\"a\\\"b\"\r\n\r\n1\r\n2\r\n--b--")
        == ["a\"b": "1\r\n2"])
    #expect(try parts("--b--").isEmpty)
  }

  @Test func `an empty part may share its line end with the boundary`() throws {
    #expect(try parts("--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n--b--") == ["a": ""])
  }

  @Test(arguments: [
    "", "b", "--b", "--b\r\n", "--b\r\n\r\n1\r\n--b--", "--b\r\nX: y\r\n\r\n1\r\n--b--",
    "--b\r\nContent-Disposition: attachment; name=\"a\"\r\n\r\n1\r\n--b--",
    "--b\r\nContent-Disposition: form-data\r\n\r\n1\r\n--b--",
    "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1", "--b\r\nno header\r\n\r\n1\r\n--b--",
    "--b\r\nContent-Disposition: form-data; name=\"a\"", "--bx\r\n\r\n",
  ])
  func `a body that is not a form is a problem`(body: String) {
    #expect(throws: MultipartForm.Problem.self) { try parts(body) }
  }

  @Test func `lines before a part's content have a limit`() {
    let long = "X: " + String(repeating: "y", count: MultipartForm.maximumHeaderBytes)
    #expect(throws: MultipartForm.Problem.self) {
      try parts("--b\r\n\(long)\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b--")
    }
  }
}
