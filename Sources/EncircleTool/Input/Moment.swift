import ArgumentParser
import EncircleText
import Foundation

/// A moment on the command line.
struct Moment: ExpressibleByArgument {
  /// The time since 1970.
  let milliseconds: Int64

  static var now: Moment { Moment(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }

  private init(milliseconds: Int64) { self.milliseconds = milliseconds }

  init?(argument: String) {
    guard let range = Timestamp.parse(argument) else { return nil }
    milliseconds = range.lowerBound
  }
}
