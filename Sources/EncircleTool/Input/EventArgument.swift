import ArgumentParser
import EncircleEvents
import EncircleInput
import EncircleText
import Foundation

/// An event on the command line: JSON, a file with one event, or `FILE:LINE`, the event that begins at a line of a file.
enum EventArgument {
  /// Reads the event; if there is none, prints why and throws an exit code.
  static func load(_ text: String) throws -> AnalyticsEvent {
    if text.drop(while: { $0.isWhitespace }).first == "{" { return try parse(Array(text.utf8), "--event") }
    let (path, line) = place(text)
    let name = path == "-" ? "<stdin>" : path
    do {
      var reader = try EventReader(path: path)
      return try read(&reader, name, line)
    } catch let error as InputError {
      printError("\(name): error: \(error)")
      throw ExitCode(ExitStatus(error).rawValue)
    }
  }

  /// Returns the file and the line that an argument names. A file whose name ends like a line number is that file.
  private static func place(_ text: String) -> (path: String, line: Int?) {
    guard let colon = text.lastIndex(of: ":"), let line = Int(text[text.index(after: colon)...]), line > 0,
      !FileManager.default.fileExists(atPath: text)
    else { return (text, nil) }
    return (String(text[..<colon]), line)
  }

  private static func read(_ reader: inout EventReader, _ name: String, _ line: Int?) throws -> AnalyticsEvent {
    var first: [UInt8]?
    var lastBefore: Int?
    while let record = try reader.next() {
      switch record {
      case .event(let found):
        guard let line else {
          if first != nil { throw failure("\(name): error: has several events: name one by its line, as in \(name):1") }
          first = reader.withEvent { Array($0) }
          continue
        }
        if found == line { return try parse(reader.withEvent { Array($0) }, "\(name):\(line)") }
        if found > line { throw failure(missing(name, line, next: found, lastBefore)) }
        lastBefore = found
      case .rejection(let rejection):
        guard line == nil || rejection.location.line == line else { continue }
        throw failure("\(name):\(rejection.location): error: not an event: \(rejection.reason.message)")
      }
    }
    if let line { throw failure(missing(name, line, next: nil, lastBefore)) }
    guard let first else { throw failure("\(name): error: has no event") }
    return try parse(first, name)
  }

  private static func missing(_ name: String, _ line: Int, next: Int?, _ last: Int?) -> String {
    let places = [last, next].compactMap { $0 }.map(String.init).joined(separator: " and ")
    return "\(name):\(line): error: no event begins in this line"
      + (places.isEmpty ? "" : "; the nearest begin\(last != nil && next != nil ? "" : "s") in line \(places)")
  }

  private static func failure(_ message: String) -> ExitCode {
    printError(message)
    return ExitCode(ExitStatus.badData.rawValue)
  }

  private static func parse(_ json: [UInt8], _ name: String) throws -> AnalyticsEvent {
    do throws(JSONError) {
      return try AnalyticsEvent(json: json)
    } catch {
      let place = json.withUnsafeBufferPointer { SourceLocation(of: error.offset, in: $0) }
      printError("\(name):\(place): error: not an event: \(error.kind.message)")
      throw ExitCode(ExitStatus.badData.rawValue)
    }
  }
}
