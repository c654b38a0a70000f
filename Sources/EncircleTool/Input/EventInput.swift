import ArgumentParser
import EncircleEvents
import EncircleInput
import EncircleText

/// Files of events for commands that read every event.
enum EventInput {
  /// Calls `body` for each event, with the reader at the event and the event's line. Prints the first lines that are not
  /// events, and the number of the others.
  ///
  /// - Parameter path: The file; `-` is standard input.
  /// - Returns: The status for input that could not be read.
  /// - Throws: An exit code, after printing the problem, if the file cannot be read to its end: counts would be wrong.
  static func forEach(
    _ path: String, projection: EventProjection? = nil, progress: InputProgress? = nil,
    _ body: (borrowing EventReader, _ line: Int) -> Void
  ) throws -> ExitStatus {
    let name = name(of: path)
    var rejected = 0
    do throws(InputError) {
      var reader = try EventReader(path: path, projection: projection)
      while let record = try reader.next() {
        progress?.report(reader.bytesRead)
        switch record {
        case .event(let line): body(reader, line)
        case .rejection(let rejection):
          rejected += 1
          if rejected <= maximumRejections {
            printError("\(name):\(rejection.location): error: not an event: \(rejection.reason.message)")
          }
        }
      }
    } catch {
      throw ExitStatus(error).failure("\(name): error: \(error)")
    }
    if rejected > maximumRejections {
      let others = counted(
        rejected - maximumRejections, "more line that is not an event", "more lines that are not events")
      printError("\(name): error: and \(others)")
    }
    return rejected > 0 ? .badData : .done
  }

  /// Calls `body` for each event of some files, with the reader at the event, the name of the file and the line of the event.
  /// Prints the first lines of each file that are not events.
  ///
  /// - Returns: The status for input that could not be read.
  /// - Throws: An exit code, after printing the problem, if a file cannot be read to its end.
  static func forEach(
    of paths: [String], projection: EventProjection,
    _ body: (borrowing EventReader, _ file: String, _ line: Int) -> Void
  ) throws -> ExitStatus {
    var status = ExitStatus.done
    for path in paths {
      let name = name(of: path)
      let read = try forEach(path, projection: projection) { body($0, name, $1) }
      status = status.joined(with: read)
    }
    return status
  }

  // The maximum number of lines per file that are printed because they are not events.
  private static let maximumRejections = 20

  /// Returns the name of an input in messages.
  static func name(of path: String) -> String { path == "-" ? "<stdin>" : path }
}

extension ArgumentHelp {
  /// The help of `--events` in commands that read every event.
  static var eventFiles: ArgumentHelp {
    "A file with events, JSON objects as for `encircle match`; may be repeated; - is standard input."
  }
}
