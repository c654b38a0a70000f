import Testing

@testable import EncircleColumns

@Suite struct AnswerListTests {
  @Test("answers beyond the memory limit are an error, and equal ones count once")
  func limit() throws {
    var list = AnswerList(byteLimit: 10_000)
    for _ in 0..<1000 {
      let number = try list.number(of: "the same problem")
      #expect(number == 0)
    }
    let error = #expect(throws: ArrowProblem.self) {
      for number in 0..<1000 { _ = try list.number(of: "problem \(number)") }
    }
    #expect(error == .tooLarge)
  }
}
