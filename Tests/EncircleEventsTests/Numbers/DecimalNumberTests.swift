import EncircleEvents
import EncircleTestSupport
import EncircleText
import Testing

@Suite("Numbers are compared by the value that is written")
struct DecimalNumberTests {
  @Test(
    "Equal values are equal and hash alike, however written",
    arguments: [
      ["1", "1.0", "10e-1", "0.1e1", "1E0", "1e+0", "1.000e00", "0.0000000000000000000001e22"],
      ["0", "-0", "0.0", "-0.000", "0e5", "0e-999999999999999999999", "-0E+1"],
      ["100", "1e2", "1.00E+2", "10.0e1"], ["-1.5", "-15e-1", "-0.15E1"],
      ["9007199254740993", "9007199254740993.0", "9.007199254740993e15"],
      ["123456789012345678901234567890", "1.2345678901234567890123456789e29", "123456789012345678901234567890.000"],
      ["1e999999999", "10e999999998", "0.1e1000000000"],
      // Exponents stop at ±10¹⁸: the exponent of the value, not the written one.
      [
        "0.125e99999999999999999999", "12.5e99999999999999999999", "125e1000000000000000000",
        "0.125e1000000000000000000",
      ],
      ["-0.1e-99999999999999999999", "-0.001e-1000000000000000000", "-1e-1000000000000000001"],
    ])
  func equal(texts: [String]) throws {
    let numbers = try texts.map { try #require(DecimalNumber($0)) }
    #expect(Set(numbers).count == 1)
    for number in numbers {
      #expect(number == numbers[0])
      #expect(!(number < numbers[0]))
      #expect(number.description == numbers[0].description)
      #expect(DecimalNumber(number.description) == number)
    }
  }

  @Test(
    "Values are ordered exactly",
    arguments: [
      [
        "-1e999999999999999999999", "-1e20", "-9007199254740993", "-9007199254740992", "-2", "-1.00000000000000000001",
        "-1", "-0.9",
        "-1e-999999999", "0", "1e-999999999", "1e-999999998", "0.09", "0.1", "0.10000000000000000000000000000000001",
        "1", "1.5", "2",
        "9.99", "10", "10.01", "99", "100", "999999999999999999", "1000000000000000000", "1000000000000000001",
        "9223372036854775807", "9223372036854775808", "18446744073709551616", "1e999999998", "1e999999999",
        "1.0000000000000000001e999999999",
        "1e99999999999999999999",
      ], ["9007199254740992", "9007199254740992.5", "9007199254740993"],
    ])
  func ordered(texts: [String]) throws {
    let numbers = try texts.map { try #require(DecimalNumber($0)) }
    for i in numbers.indices {
      for j in numbers.indices {
        #expect((numbers[i] < numbers[j]) == (i < j), "\(texts[i]) < \(texts[j])")
        #expect((numbers[i] == numbers[j]) == (i == j), "\(texts[i]) == \(texts[j])")
      }
    }
  }

  @Test(
    "Only JSON numbers are numbers",
    arguments: [
      "", "-", "+1", "01", ".5", "1.", "1e", "1e+", " 1", "1 ", "1x", "0x1", "NaN", "--1", "1.5.5", "1e1.5", "１",
    ])
  func refused(text: String) {
    #expect(DecimalNumber(text) == nil)
  }

  @Test(
    "Numbers are written so that they can be read",
    arguments: [
      ("0", "0"), ("-0.0", "0"), ("1250", "1250"), ("-0.50", "-0.5"), ("1.5e300", "1.5e+300"),
      ("1e20", "100000000000000000000"),
      ("1e21", "1e+21"), ("0.000001", "0.000001"), ("0.0000001", "1e-7"), ("12.34e-1", "1.234"), ("-12e-10", "-1.2e-9"),
      ("123456789012345678901234.5", "1.234567890123456789012345e+23"), ("9007199254740993", "9007199254740993"),
    ] as [(String, String)])
  func written(text: String, expected: String) {
    #expect(DecimalNumber(text)?.description == expected)
  }

  @Test("Swift's numbers become the same values")
  func conversions() {
    #expect(DecimalNumber(Int64.min).description == "-9223372036854775808")
    #expect(DecimalNumber(UInt64.max).description == "18446744073709551615")
    #expect(DecimalNumber(0.1)?.description == "0.1")
    #expect(DecimalNumber(1e300) == DecimalNumber("1e300"))
    #expect(DecimalNumber(-Double.leastNonzeroMagnitude) == DecimalNumber("-5e-324"))
    #expect(DecimalNumber(Double.nan) == nil)
    #expect(DecimalNumber(Double.infinity) == nil)
    #expect(DecimalNumber(2.0) == 2)
  }

  @Test("Random numbers compare as in exact integer arithmetic", arguments: [1, 2, 3, 4] as [UInt64])
  func random(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    // Values m · 10^e with 0 ≤ e + 12 ≤ 24 are integers after a shift by 12 places, and fit into 128 bits.
    func number() -> (text: String, scaled: Int128) {
      let digits = Int.random(in: 0...13, using: &generator)
      var limit: Int64 = 1
      for _ in 0..<digits { limit *= 10 }
      var mantissa = Int64.random(in: -limit...limit, using: &generator)
      if Bool.random(using: &generator) { mantissa = mantissa / 1000 * 1000 }
      let exponent = Int.random(in: -12...8, using: &generator)
      var scaled = Int128(mantissa)
      for _ in 0..<exponent + 12 { scaled *= 10 }
      return (write(mantissa, exponent), scaled)
    }
    func write(_ mantissa: Int64, _ exponent: Int) -> String {
      let sign = mantissa < 0 ? "-" : ""
      let digits = String(mantissa.magnitude)
      switch Int.random(in: 0...3, using: &generator) {
      case 0: return "\(mantissa)e\(exponent)"
      case 1: return "\(mantissa).000E\(exponent < 0 ? "" : "+")\(exponent)"
      case 2 where exponent >= 0 && mantissa != 0:
        return sign + digits + String(repeating: "0", count: exponent)
      case 2 where exponent < 0:
        let padded = String(repeating: "0", count: max(0, 1 - exponent - digits.count)) + digits
        return sign + padded.dropLast(-exponent) + "." + padded.suffix(-exponent)
      default: return "\(sign)0.\(digits)e\(exponent + digits.count)"
      }
    }
    for _ in 0..<TestSize.scaled(5_000) {
      let (a, b) = (number(), number())
      guard let x = DecimalNumber(a.text), let y = DecimalNumber(b.text) else {
        Issue.record("\(a.text) or \(b.text) was refused, seed \(seed)")
        return
      }
      let agrees = (x < y) == (a.scaled < b.scaled) && (x == y) == (a.scaled == b.scaled)
      #expect(agrees, "\(a.text) and \(b.text), seed \(seed)")
      if x == y { #expect(x.hashValue == y.hashValue, "\(a.text) and \(b.text), seed \(seed)") }
      #expect(DecimalNumber(x.description) == x, "\(a.text), seed \(seed)")
    }
  }
}
