import ArgumentParser
import EncircleEvents
import EncircleInput
import EncircleText
import Foundation

/// An event that an argument names: `FILE`, `FILE:LINE`, `-`, `-:LINE` or JSON.
struct EventFile {
  /// The place of the event in messages: `FILE:LINE`.
  let place: String
  let event: AnalyticsEvent

  /// Reads the event; without a line number, the first one. If there is no event, prints the problem and throws an exit code.
  static func read(_ argument: String) throws -> EventFile {
    if argument.utf8.first(where: { $0 != 0x20 && !(0x09...0x0D).contains($0) }) == UInt8(ascii: "{") {
      return EventFile(place: "--event", event: try parse(Array(argument.utf8), "--event"))
    }
    let (path, wanted) = split(argument)
    let name = EventInput.name(of: path)
    do {
      var reader = try EventReader(path: path)
      return try find(&reader, name, wanted)
    } catch let error as InputError {
      throw ExitStatus(error).failure("\(name): error: \(error)")
    }
  }

  /// Returns the file that an argument names.
  static func path(_ argument: String) -> String { split(argument).path }

  /// Splits `FILE:LINE`, unless a file has that whole name.
  private static func split(_ argument: String) -> (path: String, line: Int?) {
    guard let colon = argument.utf8.lastIndex(of: UInt8(ascii: ":")), colon > argument.startIndex,
      let line = Int(String(argument[argument.utf8.index(after: colon)...])), line >= 0,
      !FileManager.default.fileExists(atPath: argument)
    else { return (argument, nil) }
    return (String(argument[..<colon]), line)
  }

  private static func find(_ reader: inout EventReader, _ name: String, _ wanted: Int?) throws -> EventFile {
    var nearest: Int?
    var firstRejection: Rejection?
    while let record = try reader.next() {
      switch record {
      case .event(let line):
        if line == wanted ?? line {
          let event = try reader.withEvent { try parse(Array($0), name) }
          return EventFile(place: "\(name):\(line)", event: event)
        }
        if let wanted, nearest.map({ abs(line - wanted) < abs($0 - wanted) }) ?? true { nearest = line }
      case .rejection(let rejection):
        if rejection.line == wanted {
          var text: [UInt8] = []
          RejectionText.append(rejection, file: name, asRecord: false, to: &text)
          writeErrors(text)
          throw ExitCode(ExitStatus.badData.rawValue)
        }
        if firstRejection == nil { firstRejection = rejection }
      }
      // Line numbers only grow, so the wanted line cannot follow.
      if let wanted, let nearest, nearest > wanted { break }
    }
    if wanted == nil, let firstRejection {
      var text: [UInt8] = []
      RejectionText.append(firstRejection, file: name, asRecord: false, to: &text)
      writeErrors(text)
      throw ExitCode(ExitStatus.badData.rawValue)
    }
    let hint = nearest.map { "; the nearest begins in line \($0)" } ?? ""
    throw ExitStatus.findings.failure(
      "\(name): error: there is no event" + (wanted.map { " that begins in line \($0)" } ?? "") + hint)
  }

  private static func parse(_ bytes: [UInt8], _ name: String) throws -> AnalyticsEvent {
    do throws(JSONError) {
      return try AnalyticsEvent(json: bytes)
    } catch {
      let place = bytes.withUnsafeBufferPointer { SourceLocation(of: error.offset, in: $0) }
      throw ExitStatus.badData.failure("\(name):\(place): error: not an event: \(error.kind.message)")
    }
  }
}
