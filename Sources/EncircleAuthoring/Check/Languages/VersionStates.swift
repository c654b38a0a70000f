import EncircleRules

/// Compares texts, read scalar by scalar, with a version, in the order that ``VersionNumber`` has.
///
/// Unlike rules, these states also accept versions of more than 256 bytes.
struct VersionStates {
  /// The state after the beginning of a text.
  struct Progress: Hashable {
    enum Phase: UInt8 { case numberStart, number, tagStart, tag, build, invalid }

    var phase = Phase.numberStart
    /// The order of the text and the version as far as it is decided: -1, 0 for undecided, or 1.
    var order: Int8 = 0
    /// The number of the current number or tag.
    var index = 0
    /// The number of digits of the current number without leading zeros, at most one more than in the version, and how these
    /// digits compare.
    var digits = 0
    var digitOrder: Int8 = 0
    /// This is true if the current tag has only digits so far.
    var isNumeric = true
    /// The number of scalars that the current tag shares with the version's, and the order of the text read so far.
    var length = 0
    var textOrder: Int8 = 0
  }

  private enum Tag {
    case number([UInt32])
    case text([UInt32])
  }

  private let numbers: [[UInt32]]
  private let tags: [Tag]

  /// Prepares a version in its written form, which must be valid.
  init(_ version: String) {
    func isDigits(_ text: [UInt32]) -> Bool { text.allSatisfy(Self.isDigit) }
    func significant(_ text: [UInt32]) -> [UInt32] { Array(text.drop { $0 == 0x30 }) }
    let known = version.unicodeScalars.map(\.value).prefix { $0 != 0x2B }
    let release = known.prefix { $0 != 0x2D }
    var numbers = release.split(separator: 0x2E).map { significant(Array($0)) }
    while numbers.last?.isEmpty ?? false { numbers.removeLast() }
    self.numbers = numbers
    tags = known.dropFirst(release.count + 1).split(separator: 0x2E).map { part in
      isDigits(Array(part)) ? .number(significant(Array(part))) : .text(Array(part))
    }
  }

  /// The scalars that make a difference, besides `0`, `.`, `-`, `+` and whether one is a digit.
  var scalars: [UInt32] {
    numbers.flatMap { $0 }
      + tags.flatMap { tag in
        switch tag {
        case .number(let digits): digits
        case .text(let text): text
        }
      }
  }

  /// This is true if the order of scalars other than digits matters.
  var hasTexts: Bool { tags.contains { if case .text = $0 { true } else { false } } }

  private static func isDigit(_ scalar: UInt32) -> Bool { (0x30...0x39).contains(scalar) }

  private static func order(_ a: UInt32, _ b: UInt32) -> Int8 { a < b ? -1 : a == b ? 0 : 1 }

  /// Returns the progress with one scalar more.
  func after(_ scalar: UInt32, _ current: Progress) -> Progress {
    var next = current
    switch current.phase {
    case .invalid, .build: break
    case .numberStart, .number:
      if Self.isDigit(scalar) {
        next.phase = .number
        read(digit: scalar, of: current.index < numbers.count ? numbers[current.index] : [], &next)
      } else if current.phase == .numberStart {
        next.phase = .invalid
      } else {
        switch scalar {
        case 0x2E:
          finishNumber(&next)
          next.index = min(next.index + 1, numbers.count)
          next.phase = .numberStart
        case 0x2D:
          finishRelease(&next)
          // A pre-release comes before its release.
          if next.order == 0, tags.isEmpty { next.order = -1 }
          next.phase = .tagStart
        case 0x2B:
          finishRelease(&next)
          if next.order == 0, !tags.isEmpty { next.order = 1 }
          next.phase = .build
        default: next.phase = .invalid
        }
      }
    case .tagStart, .tag:
      if scalar == 0x2E || scalar == 0x2B {
        guard current.phase == .tag else {
          next.phase = .invalid
          break
        }
        finishTag(&next)
        if scalar == 0x2E {
          next.index = min(next.index + 1, tags.count)
          next.phase = .tagStart
        } else {
          finishTags(&next)
          next.phase = .build
        }
      } else {
        next.phase = .tag
        readTag(scalar, &next)
      }
    }
    if next.order != 0 || next.phase == .build || next.phase == .invalid {
      // The rest only decides whether the text is a version.
      next = Progress(phase: next.phase, order: next.phase == .invalid ? 0 : next.order)
    }
    return next
  }

  /// Returns the order of a text and the version: -1, 0 or 1; nil if the text is not a version.
  func order(_ current: Progress) -> Int8? {
    var end = current
    switch current.phase {
    case .invalid, .numberStart, .tagStart: return nil
    case .build: break
    case .number:
      finishRelease(&end)
      if end.order == 0, !tags.isEmpty { end.order = 1 }
    case .tag:
      finishTag(&end)
      finishTags(&end)
    }
    return end.order
  }

  private func read(digit: UInt32, of number: [UInt32], _ next: inout Progress) {
    if next.digits == 0, digit == 0x30 { return }
    if next.digits < number.count {
      if next.digitOrder == 0 { next.digitOrder = Self.order(digit, number[next.digits]) }
      next.digits += 1
    } else {
      next.digits = number.count + 1
    }
  }

  private func finish(_ number: [UInt32], _ next: inout Progress) {
    if next.order == 0 {
      next.order =
        next.digits < number.count ? -1 : next.digits > number.count ? 1 : next.digitOrder
    }
    (next.digits, next.digitOrder) = (0, 0)
  }

  private func finishNumber(_ next: inout Progress) {
    finish(next.index < numbers.count ? numbers[next.index] : [], &next)
  }

  private func finishRelease(_ next: inout Progress) {
    finishNumber(&next)
    // The last number of the version is not 0.
    if next.order == 0, next.index + 1 < numbers.count { next.order = -1 }
    next.index = 0
  }

  private func readTag(_ scalar: UInt32, _ next: inout Progress) {
    guard next.order == 0 else { return }
    guard next.index < tags.count else {
      next.order = 1
      return
    }
    switch tags[next.index] {
    case .number(let number):
      // A number comes before a text.
      if Self.isDigit(scalar) { read(digit: scalar, of: number, &next) } else { next.order = 1 }
    case .text(let text):
      if !Self.isDigit(scalar) { next.isNumeric = false }
      guard next.textOrder == 0 else { return }
      if next.length < text.count {
        next.textOrder = Self.order(scalar, text[next.length])
        next.length += 1
      } else {
        next.textOrder = 1
      }
    }
  }

  private func finishTag(_ next: inout Progress) {
    if next.order == 0, next.index < tags.count {
      switch tags[next.index] {
      case .number(let number): finish(number, &next)
      case .text(let text):
        next.order = next.isNumeric ? -1 : next.textOrder != 0 ? next.textOrder : next.length < text.count ? -1 : 0
      }
    }
    (next.digits, next.digitOrder, next.isNumeric, next.length, next.textOrder) = (0, 0, true, 0, 0)
  }

  private func finishTags(_ next: inout Progress) {
    if next.order == 0, next.index + 1 < tags.count { next.order = -1 }
  }
}
