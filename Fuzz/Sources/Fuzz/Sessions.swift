import EncircleEvents
import EncircleSessions
import Foundation

/// Reads a session and replays it with the model of every SDK: once as it is, once with reasons, and once without unknown
/// actions.
func readSession(_ input: [UInt8]) -> CInt {
  // Signals name captures. Only the one beside the session may be read.
  if contains(input, "capture"), input.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }) {
    return 0
  }
  _ = hasCapture
  let path = scratchFolder + "/s.session.ndjson"
  guard FileManager.default.createFile(atPath: path, contents: Data(input)) else { preconditionFailure("no file") }
  for sdk in SessionSDK.allCases { replayInAllWays(path, sdk.model) }
  return 0
}

private func replayInAllWays<Model: SDKModel>(_ path: String, _ model: Model.Type) {
  let plain = Replayed(path, model)
  let explained = Replayed(path, model, explains: true)
  precondition(plain.text == explained.text, "asking for reasons changes the events")
  precondition(plain.error == explained.error, "asking for reasons changes the error")
  precondition(plain.reasons == 0, "nobody asked for reasons")
  let lenient = Replayed(path, model, skipsUnknown: true)
  precondition(lenient.text.starts(with: plain.text), "what is left out later changes earlier events")
  if plain.error == nil {
    precondition(lenient.error == nil && lenient.skipped == 0, "something is left out of a valid session")
    precondition(lenient.text.count == plain.text.count, "leaving out nothing changes the events")
  }
}

/// The events of a replay, and the reasons for them.
private struct Replayed {
  var text: [UInt8] = []
  var error: String?
  var reasons = 0
  var skipped = 0

  init<Model: SDKModel>(_ path: String, _ model: Model.Type, explains: Bool = false, skipsUnknown: Bool = false) {
    do throws(SessionError) {
      let reader = try SessionReader(path: path, skipsUnknown: skipsUnknown)
      var replay = try SessionReplay<Model>(reader, explains: explains)
      var (line, life) = (1, 0)
      while let step = try replay.next() {
        precondition(step.signal.line > line, "lines ascend")
        precondition(step.life >= life, "processes come one after the other")
        (line, life) = (step.signal.line, step.life)
        for record in step.output.records { append(record, line, life) }
        reasons += step.output.reasons.count
        precondition(step.output.reasons.allSatisfy { !$0.rule.isEmpty && !$0.text.isEmpty })
      }
      skipped = replay.skipped
      precondition(replay.skippedLines.count <= skipped)
    } catch {
      self.error = error.description
      precondition(error.description.contains("error: "), "an error says that it is one")
    }
  }

  /// Adds a record, which must be a JSON object on a single line.
  private mutating func append(_ record: ReplayRecord, _ line: Int, _ life: Int) {
    let start = text.count
    record.append(line: line, life: life, to: &text)
    precondition(text.last == UInt8(ascii: "\n"))
    let json = text[start...].dropLast()
    precondition(!json.contains(UInt8(ascii: "\n")), "a record is one line")
    guard case .object? = try? json.withUnsafeBufferPointer({ try EventValue(json: $0) }) else {
      preconditionFailure("a record is no object of JSON")
    }
  }
}

private func contains(_ input: [UInt8], _ word: StaticString) -> Bool {
  Data(input).range(of: Data(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))) != nil
}

/// Writes the capture that the session names, with a cell of a list and an alert with two options; `false` if that fails.
private let hasCapture: Bool = {
  let capture = """
    <viewTree version="1"><view class="UIWindow"><view class="UITableView" controller="HomeViewController">
    <view class="ProductCell" superclasses="UITableViewCell UIView" indexPath="0 7"><view class="UIButton" title="Buy"/>
    </view></view><view class="_UIAlertControllerView" controller="UIAlertController" frame="0 0 270 130">
    <view class="_UIAlertControllerActionView" frame="0 80 135 50"><view class="UILabel" text="OK"/></view>
    <view class="_UIAlertControllerActionView" frame="135 80 135 50"/></view></view></viewTree>
    """
  return FileManager.default.createFile(atPath: scratchFolder + "/a.xml", contents: Data(capture.utf8))
}()
