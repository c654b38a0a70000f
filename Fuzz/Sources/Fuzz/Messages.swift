import EncircleEvents
import EncircleSDK

/// Reads a message of an app that is being circled, and checks that its screen contains no typed text.
///
/// The first byte determines the kind of the rest (a message, its payload, the picture of a screen, or objects and events of a
/// screen with a field), because the fuzzer cannot get through Base64 and checksums.
func readMessage(_ input: [UInt8]) -> CInt {
  guard let first = input.first else { return 0 }
  let content = Array(input.dropFirst())
  switch first % 4 {
  case 1: read(message(payload: content))
  case 2: read(message(payload: screen(picture: base64(content))))
  case 3: readScreenWithField(content)
  default: read(content)
  }
  return 0
}

/// Limits that are small enough to be reached.
private let limits: SnapshotLimits = {
  var limits = SnapshotLimits()
  limits.payloadBytes = 1 << 18
  limits.objects = 200
  limits.levels = 40
  limits.screenshotPixels = 1 << 16
  limits.events = 20
  return limits
}()

@discardableResult
private func read(_ body: [UInt8]) -> Snapshot? {
  do throws(SnapshotError) {
    let message = try SnapshotMessage(body, limits: limits)
    precondition(message.withoutPayload.isUnchanged)
    guard let snapshot = try message.snapshot(limits: limits) else {
      precondition(message.isUnchanged, "a changed screen is missing")
      return nil
    }
    precondition(!message.isUnchanged, "an unchanged screen is read")
    check(snapshot)
    // An event may belong to the previous screen.
    let next = try message.snapshot(after: snapshot.screen, limits: limits)
    precondition(next?.screen?.capture == snapshot.screen?.capture, "the screen before changes the capture")
    return snapshot
  } catch {
    precondition(!error.description.isEmpty && (error.pointer.isEmpty || error.pointer.first == "/"))
    return nil
  }
}

private func check(_ snapshot: Snapshot) {
  precondition(snapshot.events.count <= limits.events, "more events than the limit")
  if let screen = snapshot.screen {
    precondition(screen.facts.count == screen.identified.tree.count, "each element has facts")
    precondition(screen.facts.count { $0.isListed } <= limits.objects, "more elements are listed than the limit")
  }
  do throws(CoveredPicture.Problem) {
    let picture = try CoveredPicture(of: snapshot, limits: limits)
    precondition(snapshot.screen?.hasUnplacedField == false, "nobody knows what is to be covered")
    precondition(picture.width * picture.height <= limits.screenshotPixels, "more pixels than the limit")
    precondition(picture.bytes.starts(with: [0xFF, 0xD8]) && picture.bytes.suffix(2) == [0xFF, 0xD9], "it is no JPEG")
  } catch {
    // A picture that cannot be covered is not returned.
  }
}

// MARK: - Typed text

/// The text that was typed into the field. The other texts of the screen must not contain it.
private let typed = "Qz7Wk9Xj"

/// Reads a screen with a field, and checks that the text typed into it appears nowhere.
///
/// The first line of the input has further objects of the screen. The other lines have its events, where `@` stands for the text.
private func readScreenWithField(_ input: [UInt8]) {
  let lines = input.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
  let objects = lines.first.map(Array.init) ?? []
  let events = (lines.count > 1 ? Array(lines[1]) : []).flatMap { byte in
    byte == UInt8(ascii: "@") ? Array(typed.utf8) : [byte]
  }
  // Otherwise, they could end the lists that contain them.
  guard let others = list(objects), list(events) != nil, !hasTyped(others) else { return }
  let head = """
    {"serialized_objects":{"rootObject":"$w","objects":[
    {"id":"$w","class":["UIWindow","UIView"],"properties":{"subelements":["$f","$0","$1","$2","$3"],
    "element_path":"UIWindow","element_content":"a-\(typed)","frame":{"X":0,"Y":0,"Width":32,"Height":48}}},
    {"id":"$f","class":["UITextField","UIControl","UIView"],"properties":{"subelements":["$l","$4"],
    "element_path":"UIWindow/UITextField[0]","element_content":"\(typed)","frame":{"X":8,"Y":16,"Width":16,"Height":16}}},
    {"id":"$l","class":["UIFieldEditor","UILabel","UIView"],"properties":{"element_content":"\(typed)"}}
    """
  let payload =
    Array(head.utf8) + (objects.allSatisfy { " \t\r".utf8.contains($0) } ? [] : [UInt8(ascii: ",")]) + objects
    + Array("]},\"event_debug\":[".utf8) + events + Array("]}".utf8)
  guard let snapshot = read(message(payload: payload)) else { return }
  guard let screen = snapshot.screen else { preconditionFailure("the window is missing") }
  precondition(!hasTyped(screen.capture), "the capture has what was typed")
  for facts in screen.facts {
    precondition(!hasTyped(Array((facts.content ?? "").utf8)), "a content has what was typed")
  }
  for event in snapshot.events { precondition(!hasTyped(.object(event)), "an event has what was typed") }
}

private func list(_ elements: [UInt8]) -> EventValue? {
  try? EventValue(json: Array("[".utf8) + elements + Array("]".utf8))
}

private func hasTyped(_ bytes: [UInt8]) -> Bool {
  let word = Array(typed.utf8)
  return bytes.indices.contains { bytes[$0] == word[0] && bytes[$0...].starts(with: word) }
}

private func hasTyped(_ value: EventValue) -> Bool {
  switch value {
  case .null, .bool, .number: false
  case .string(let text): hasTyped(Array(text.utf8))
  case .list(let elements): elements.contains(where: hasTyped)
  case .object(let object): object.members.contains { hasTyped(Array($0.name.utf8)) || hasTyped($0.value) }
  }
}

// MARK: - Messages

private func message(payload: [UInt8]) -> [UInt8] {
  Array(
    "{\"type\":\"snapshot_response\",\"app_id\":\"com.example.shop\",\"page_name\":\"HomeViewController\",\"gzip_payload\":\""
      .utf8) + base64(gzip(payload)) + Array("\"}".utf8)
}

private func screen(picture: [UInt8]) -> [UInt8] {
  let head = """
    {"serialized_objects":{"rootObject":"$w","objects":[
    {"id":"$w","class":["UIWindow"],"properties":{"subelements":["$f"],"frame":{"X":0,"Y":0,"Width":32,"Height":48}}},
    {"id":"$f","class":["UITextField"],"properties":{"frame":{"X":8,"Y":16,"Width":16,"Height":16}}}]},"screenshot":"
    """
  return Array(head.utf8) + picture + Array("\"}".utf8)
}
