import EncircleText
import EncircleTree

/// The rectangle of an element in the screen's coordinates, as far as a capture gives it.
struct ScreenBounds {
  var x: Double?
  var y: Double?
  var width: Double?
  var height: Double?

  /// The rectangle; nil unless all of it is given.
  var frame: Frame? {
    guard let x, let y, let width, let height else { return nil }
    return Frame(x: x, y: y, width: width, height: height)
  }
}

extension ScreenBounds {
  /// Reads `[left,top][right,bottom]` in whole pixels; nil if the text is something else.
  init?(bracketed text: UnsafeBufferPointer<UInt8>) {
    var i = 0
    func number(until end: Unicode.Scalar) -> Double? {
      guard let stop = text[i...].firstIndex(of: UInt8(ascii: end)), let value = Number.integer(text.part(i..<stop))
      else { return nil }
      i = stop + 1
      return Double(value)
    }
    func open() -> Bool {
      guard i < text.count, text[i] == UInt8(ascii: "[") else { return false }
      i += 1
      return true
    }
    guard open(), let left = number(until: ","), let top = number(until: "]"), open(),
      let right = number(until: ","), let bottom = number(until: "]"), i == text.count
    else { return nil }
    self.init(x: left, y: top, width: right - left, height: bottom - top)
  }
}

/// The origins of the open elements on the screen. They turn bounds into frames in the superview's coordinates.
struct ScreenOrigins {
  private var origins: [(x: Double, y: Double)?] = []

  /// Begins an element inside the open ones.
  ///
  /// - Returns: Its frame in its superview's coordinates; nil if its bounds or the origin of its superview are unknown.
  mutating func begin(_ bounds: ScreenBounds) -> Frame? {
    guard let x = bounds.x, let y = bounds.y else {
      origins.append(nil)
      return nil
    }
    let parent = origins.isEmpty ? (x: 0.0, y: 0.0) : origins[origins.count - 1]
    origins.append((x, y))
    guard let parent, let width = bounds.width, let height = bounds.height else { return nil }
    let frame = Frame(x: x - parent.x, y: y - parent.y, width: width, height: height)
    // Differences of large numbers may be infinite.
    return frame.isFinite ? frame : nil
  }

  /// Ends the innermost element.
  mutating func end() { origins.removeLast() }
}
