import EncircleEvents
import EncircleInput
import EncircleSDK
import EncircleText

/// Reads a request of an SDK, and checks that every part of it is an event or a reject, and that nothing redacted is kept.
///
/// The first byte determines the SDK and how the rest is wrapped, because the fuzzer cannot get through Base64 and checksums.
func readCollected(_ input: [UInt8]) -> CInt {
  guard let first = input.first else { return 0 }
  let content = Array(input.dropFirst())
  let isJSON = first & 0x80 != 0
  switch first >> 4 & 3 {
  case 1: return readPosted(content, by: .postHog, wrapping: first % 8)
  case 2: return readPosted(content, by: .growingIO, wrapping: first % 8)
  default: break
  }
  switch first % 8 {
  case 1: readWrapped(content, in: gzip(content), isJSON: true)
  case 2: readWrapped(content, in: Array("data=".utf8) + escaped(base64(content)))
  case 3:
    let data = base64(gzip(content))
    readWrapped(content, in: Array("crc=\(javaHash(data))&gzip=1&data_list=".utf8) + escaped(data))
  case 4: readWrapped(content, in: gzip(Array("data_list=".utf8) + base64(content)))
  case 5: readWrapped(content, in: [], query: "project=p&data=\(String(decoding: base64(content), as: UTF8.self))")
  case 6: _ = readBody([], query: String(decoding: content, as: UTF8.self), isJSON: isJSON)
  default: _ = readBody(content, isJSON: isJSON)
  }
  return 0
}

/// Reads a request of another vendor's SDK.
private func readPosted(_ content: [UInt8], by sdk: CollectProtocol, wrapping: UInt8) -> CInt {
  do throws(CollectError) {
    let contents: CollectContents
    switch (wrapping, sdk) {
    case (1, _): contents = try CollectRequest(sdk, query: nil).contents(of: gzip(content), limit: limit)
    case (2, .postHog):
      let form = Array("data=".utf8) + escaped(base64(content))
      contents = try CollectRequest(sdk, query: "compression=base64").contents(of: form, limit: limit)
    case (2, _):
      let query = "data=" + content.map { "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
      contents = try CollectRequest(sdk, query: query).contents(of: [], limit: limit)
    case (3, _):
      contents = try CollectRequest(sdk, query: String(decoding: content, as: UTF8.self)).contents(of: [], limit: limit)
    default: contents = try CollectRequest(sdk, query: nil).contents(of: content, limit: limit)
    }
    precondition(contents.json.count <= limit, "more bytes than the limit")
    // Only the envelope is removed; nothing else changes.
    if wrapping != 3, content.first != 0x1F, contents.json.count == content.count {
      precondition(zip(contents.json, content).allSatisfy { $0 == $1 || $0 == UInt8(ascii: " ") })
    }
    readEvents(of: contents)
  } catch {
    precondition(!error.description.isEmpty)
  }
  return 0
}

/// More than the fuzzer's longest input wrapped twice, and less than a compressed one may become.
private let limit = 1 << 16

private func readWrapped(_ content: [UInt8], in body: [UInt8], query: String? = nil, isJSON: Bool = false) {
  let json = readBody(body, query: query, isJSON: isJSON)
  // The reader refuses compressed content, bodies that are too long, and in forms what does not begin like JSON.
  if content.isEmpty || content[0] == 0x1F || body.count > limit { return }
  if !isJSON, content[0] != UInt8(ascii: "["), content[0] != UInt8(ascii: "{") { return }
  precondition(json == content, "what was wrapped comes out as another text")
}

/// Returns the JSON of a body, whose events have been read.
private func readBody(_ body: [UInt8], query: String? = nil, isJSON: Bool) -> [UInt8]? {
  do throws(CollectError) {
    let json = try CollectBody.json(of: body, query: query, isJSON: isJSON, limit: limit)
    precondition(json.count <= limit, "more bytes than the limit")
    readEvents(of: CollectContents(json: json))
    return json
  } catch {
    precondition(!error.description.isEmpty)
    return nil
  }
}

private func readEvents(of contents: CollectContents) {
  let json = contents.json
  let plan = makePlan(contents.sdk, redacted: [])
  let redactingPlan = makePlan(contents.sdk, redacted: ["secret", "/a/b", "/a/0/b"] + contents.keyPlaces)
  let plain = CollectReader(plan).read(json, receivedAt: now)
  check(plain, plan, json)
  let redacted = CollectReader(redactingPlan).read(json, receivedAt: now)
  check(redacted, redactingPlan, json)
  precondition(redacted.events.count == plain.events.count, "what is removed decides what an event is")
  for (event, other) in zip(redacted.events, plain.events) {
    precondition(other.redactedJSON == nil, "nothing was to be removed")
    precondition(event.json == other.json && event.time == other.time && event.key == other.key)
    precondition(!hasSecret(object(event.kept)), "what is to be removed is kept")
    for place in contents.keyPlaces {
      precondition(!has(place.split(separator: "/")[...], object(event.kept)), "the key of an app is kept")
    }
  }
  for reject in redacted.rejects where !reject.text.isEmpty {
    precondition(!hasSecret(object(reject.text)), "what is to be removed is kept in a reject")
  }
  // Reading the kept events again must give the same events.
  let stored = CollectReader(plan).read(json, receivedAt: nil, now: now)
  let again = CollectReader(plan).read(
    Array(stored.events.map(\.kept).joined(separator: [0x0A])), receivedAt: nil, now: now)
  precondition(again.rejected == 0 && again.events.count == stored.events.count, "what is kept is no event")
  for (event, other) in zip(stored.events, again.events) {
    precondition(event.json == other.json && event.time == other.time && event.fields == other.fields)
  }
}

private func check(_ batch: CollectReader.Batch<CollectedEvent>, _ plan: CollectPlan, _ json: [UInt8]) {
  if let count = count(json, plan) {
    precondition(batch.events.count + batch.rejected == count, "a part is neither event nor reject")
  }
  precondition(
    batch.rejects.count == min(batch.rejected, plan.maximumRejects), "rejects are lost, or too many are kept")
  var line = 1
  for reject in batch.rejects {
    precondition(reject.line >= line && !reject.code.isEmpty && !reject.reason.isEmpty)
    line = reject.line
  }
  for event in batch.events {
    precondition(event.fields.count == CollectPlan.Field.allCases.count)
    for text in [event.json, event.kept] {
      precondition(!text.contains(0x0A) && !text.contains(0x0D), "an event is one line")
      _ = object(text)
    }
  }
}

/// Returns the number of parts in a text according to the reader of event files; nil for a broken array, which that reader gives
/// up at the first error.
private func count(_ json: [UInt8], _ plan: CollectPlan) -> Int? {
  var reader = EventReader(bytes: json, lengthLimit: plan.lengthLimit)
  var (count, isBroken) = (0, false)
  while let record = try? reader.next() {
    count += 1
    if case .rejection = record { isBroken = true }
  }
  return isBroken && json.contains(UInt8(ascii: "[")) ? nil : count
}

private func object(_ json: [UInt8]) -> EventObject {
  guard case .object(let object)? = try? EventValue(json: json) else { preconditionFailure("it is no object of JSON") }
  return object
}

/// Returns whether an object still has a property that `redactingPlan` removes; members of one name may occur twice.
private func hasSecret(_ object: EventObject) -> Bool {
  object.members.contains { member in
    switch (member.name, member.value) {
    case ("properties", .object(let inner)), ("attributes", .object(let inner)):
      inner.members.contains { $0.name.utf8.elementsEqual("secret".utf8) }
    case ("a", .object(let inner)): inner.members.contains { $0.name.utf8.elementsEqual("b".utf8) }
    default: false
    }
  }
}

/// Returns whether an object has a member at a path.
private func has(_ path: ArraySlice<Substring>, _ object: EventObject) -> Bool {
  object.members.contains { member in
    guard let name = path.first, member.name.utf8.elementsEqual(name.utf8) else { return false }
    if path.count == 1 { return true }
    guard case .object(let inner) = member.value else { return false }
    return has(path.dropFirst(), inner)
  }
}

private let now: Int64 = 1_800_000_000_000

private func makePlan(_ sdk: CollectProtocol, redacted: [String]) -> CollectPlan {
  func places(_ names: String...) -> [PropertyReference] { names.compactMap { PropertyReference(parsing: $0) } }
  var plan = CollectPlan(
    sdk: sdk,
    places: [
      .event: places("/event", "event_type", "/eventType"),
      .distinctID: places("/distinct_id", "distinct_id", "/deviceId"), .page: places("$screen_name"),
      .appVersion: places("$app_version"),
    ], redacted: redacted.compactMap { PropertyReference(parsing: $0) })
  plan.maximumRejects = 3
  return plan
}

private func javaHash(_ text: [UInt8]) -> Int32 { text.reduce(0) { $0 &* 31 &+ Int32($1) } }

/// Escapes Base64 as SDKs do in a form.
private func escaped(_ text: [UInt8]) -> [UInt8] {
  text.flatMap { byte -> [UInt8] in
    switch byte {
    case UInt8(ascii: "+"): Array("%2B".utf8)
    case UInt8(ascii: "/"): Array("%2f".utf8)
    case UInt8(ascii: "="): Array("%3D".utf8)
    default: [byte]
    }
  }
}
