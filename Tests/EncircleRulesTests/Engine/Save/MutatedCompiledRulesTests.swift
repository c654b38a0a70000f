import EncircleEvents
import EncircleRules
import EncircleTestSupport
import Testing

/// Compiled rules that somebody changed and gave a right checksum: every field of every table, with values at which things
/// end. Indices are not checked in release, so whatever is accepted must refer to something that is there; in debug builds
/// an index that does not ends the tests.
@Suite struct MutatedCompiledRulesTests {
  @Test(
    "every field of every table may hold anything: the rules are refused, or decide",
    arguments: TestSize.scaled(0..<4 as Range<UInt64>))
  func fields(seed: UInt64) throws {
    var world = try RandomRules(seed: 70 + seed)
    var ruleSet = world.ruleSet
    if seed % 2 == 1 {
      // In several styles, each with its own tables.
      ruleSet.otherStyles = [.growingIO]
      for i in ruleSet.rules.indices { ruleSet.rules[i].clauses[0].style = i % 2 == 0 ? .any : .only(.growingIO) }
    }
    let bytes = try Matcher(ruleSet, dictionary: world.dictionary).compiled()
    let events = (0..<12).map { _ in world.event().event }
    let sections = Section.all(of: bytes)
    #expect(sections.count > 30 && sections.last?.end == bytes.count)
    var (refused, decided) = (0, 0)
    func tries(_ changed: [UInt8]) {
      do throws(CompiledRulesError) {
        _ = try Matcher(compiled: Self.sealed(changed), dictionary: world.dictionary).decide(events)
        decided += 1
      } catch {
        refused += 1
      }
    }
    for section in sections {
      // The number of elements and their size.
      for (place, values) in [(section.header, section.counts), (section.header + 8, [0, section.stride * 2])] {
        for value in values { tries(bytes.replacing(8, at: place, with: value)) }
      }
      for element in section.someElements(&world.random) {
        for (place, width) in section.fields(ofElement: element) {
          for value in bytes.boundaries(width, at: place, count: section.count) {
            tries(bytes.replacing(width, at: place, with: value))
          }
        }
      }
    }
    #expect(refused > 100 && decided > 100)
  }

  @Test("two sections may change places or hold the content of others", arguments: [3 as UInt64])
  func swappedSections(seed: UInt64) throws {
    var world = try RandomRules(seed: 80 + seed)
    let bytes = try Matcher(world.ruleSet, dictionary: world.dictionary).compiled()
    let events = (0..<12).map { _ in world.event().event }
    let sections = Section.all(of: bytes)
    for first in sections.indices {
      for second in sections.indices where first != second && sections[first].stride == sections[second].stride {
        // The second section in place of the first.
        let changed =
          bytes[..<sections[first].header] + bytes[sections[second].header..<sections[second].end]
          + bytes[sections[first].end...]
        _ = try? Matcher(compiled: Self.sealed(Array(changed)), dictionary: world.dictionary).decide(events)
      }
    }
  }

  /// The bytes with the length and checksum that belong to them.
  static func sealed(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes.replacing(8, at: 16, with: UInt64(bytes.count))
    let sum = bytes.withUnsafeBytes {
      CompiledFormat.checksum(UnsafeRawBufferPointer(rebasing: $0[CompiledFormat.headerLength...]))
    }
    bytes = bytes.replacing(8, at: 24, with: sum)
    return bytes
  }
}

/// A part of a compiled file: a header with the number and size of the elements, and the elements.
private struct Section {
  let header: Int
  let count: UInt64
  let stride: UInt64
  let end: Int

  var start: Int { header + CompiledFormat.headerLength }
  var counts: [UInt64] { [0, 1, count &- 1, count + 1, count * 2, UInt64(UInt32.max), 1 << 61, .max] }

  static func all(of bytes: [UInt8]) -> [Section] {
    var sections: [Section] = []
    var place = CompiledFormat.headerLength
    while place < bytes.count {
      let (count, stride) = (bytes.number(8, at: place), bytes.number(8, at: place + 8))
      let length = Int(count * stride) + CompiledFormat.headerLength - 1
      let end = place + CompiledFormat.headerLength + length / CompiledFormat.headerLength * CompiledFormat.headerLength
      sections.append(Section(header: place, count: count, stride: stride, end: end))
      place = end
    }
    return sections
  }

  /// The first element, the last, and some between them.
  func someElements(_ random: inout SeededGenerator) -> [Int] {
    guard count > 0 else { return [] }
    let others = (0..<TestSize.scaled(stride == 1 ? 40 : 5)).map { _ in Int.random(in: 0..<Int(count), using: &random) }
    return Set([0, Int(count) - 1] + others).sorted()
  }

  /// The places and widths of what may be a field: 8, 4 and 1 bytes, at each multiple of that.
  func fields(ofElement element: Int) -> [(place: Int, width: Int)] {
    let first = start + element * Int(stride)
    return [8, 4, 1].flatMap { width in
      Swift.stride(from: first, through: first + Int(stride) - width, by: width).map { ($0, width) }
    }
  }
}

extension [UInt8] {
  fileprivate func number(_ width: Int, at place: Int) -> UInt64 {
    self[place..<place + width].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  fileprivate func replacing(_ width: Int, at place: Int, with value: UInt64) -> [UInt8] {
    var bytes = self
    for i in 0..<width { bytes[place + i] = UInt8(truncatingIfNeeded: value >> (8 * UInt64(i))) }
    return bytes
  }

  /// Values other than the present one at which something ends: numbers, signs, and the table itself.
  fileprivate func boundaries(_ width: Int, at place: Int, count: UInt64) -> [UInt64] {
    let old = number(width, at: place)
    let most: UInt64 = width == 8 ? .max : (1 << UInt64(8 * width)) - 1
    let values: [UInt64] =
      width == 1
      ? [0, 1, old ^ 1, old ^ 0x80, most]
      : [0, 1, old &+ 1, old &- 1, count, most, most / 2, most / 2 + 1]
    return Set(values.map { $0 & most }).subtracting([old]).sorted()
  }
}
