import EncircleRules
import EncircleText
import Testing

/// Samples by hash: what a machine, a release or a warehouse computes must not change.
@Suite struct ValueSampleTests {
  @Test(
    "buckets agree with the documented vectors",
    arguments: [
      ("", "user-1", 776_405), ("", "用户", 50_996), ("spring", "user-1", 457_228), ("", "42", 450_307),
    ] as [(UTF8String, String, Int)])
  func vectors(salt: UTF8String, value: String, bucket: Int) {
    #expect(Array(value.utf8).withUnsafeBufferPointer { ValueSample.bucket(of: $0, salt: salt) } == bucket)
  }

  @Test("a sample has about its share of all values, and a larger one has all of a smaller one")
  func shares() throws {
    let tenth = try #require(ValueSample(millionths: 100_000))
    let fifth = try #require(ValueSample(millionths: 200_000))
    let all = try #require(ValueSample(millionths: 1_000_000))
    var counts = (tenth: 0, fifth: 0)
    for i in 0..<10_000 {
      Array("user-\(i)".utf8).withUnsafeBufferPointer { value in
        if tenth.contains(value) {
          counts.tenth += 1
          #expect(fifth.contains(value))
        }
        if fifth.contains(value) { counts.fifth += 1 }
        #expect(all.contains(value))
      }
    }
    #expect((900...1_100).contains(counts.tenth) && (1_850...2_150).contains(counts.fifth), "\(counts)")
  }

  @Test(
    "shares are percentages with up to four digits behind the point",
    arguments: [
      ("10%", 100_000, "10%"), ("0.25%", 2_500, "0.25%"), ("100%", 1_000_000, "100%"), ("0.0001%", 1, "0.0001%"),
      ("12.50%", 125_000, "12.5%"), ("0%", nil, ""), ("100.0001%", nil, ""), ("0.00001%", nil, ""), ("10", nil, ""),
      ("-1%", nil, ""), ("1.%", nil, ""), (".5%", nil, ""), ("%", nil, ""), ("١%", nil, ""), ("1e1%", nil, ""),
      ("99999999999999999999%", nil, ""),
    ] as [(String, Int?, String)])
  func parsing(text: String, millionths: Int?, printed: String) {
    #expect(ValueSample.millionths(parsing: text) == millionths)
    if let millionths { #expect(ValueSample(millionths: millionths)?.percentage == printed) }
  }
}
