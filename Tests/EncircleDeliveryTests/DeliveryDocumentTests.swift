import EncircleDelivery
import EncircleTestSupport
import Foundation
import Testing

// The example of docs/delivery.md, which must be here as it is there.
// example begins
/// Stores and sends the events of a program.
struct Telemetry {
  private let sender: EventSender
  private let sending: Task<Void, Never>

  init(folder: URL, receiver: URL) throws {
    let report: @Sendable (DeliveryNotice) -> Void = { notice in print("events: \(notice)") }
    let policy = DeliveryPolicy.careful
    let queue = try EventQueue(
      path: folder.appendingPathComponent("events.queue").path, limits: policy.limits, report: report)
    let sender = EventSender(queue: queue, transport: HTTPTransport(url: receiver), policy: policy, report: report)
    self.sender = sender
    sending = Task { await sender.run() }
  }

  /// Stores an event, from any thread; it is on the disk when this returns.
  func track(_ json: String) throws { try sender.store([Array(json.utf8)]) }

  /// Sends what waits, and ends. What could not be sent is sent after the next start.
  func end() async {
    _ = await sender.flush()
    sending.cancel()
    await sending.value
    sender.queue.close()
  }
}
// example ends

@Suite("docs/delivery.md")
struct DeliveryDocumentTests {
  @Test("the example of the manual is the one compiled here")
  func example() throws {
    let source = try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8)
    let document = try String(
      contentsOf: PackageFolder.root.appendingPathComponent("docs/delivery.md"), encoding: .utf8)
    let parts = source.components(separatedBy: "// example begins\n")
    try #require(parts.count > 1)
    let example = parts[1].components(separatedBy: "// example ends\n")[0]
    #expect(document.contains("```swift\nimport EncircleDelivery\nimport Foundation\n\n\(example)```"))
  }

  @Test("the example of the manual delivers")
  func run() async throws {
    let received = Received()
    let receiver = try LocalReceiver { request in
      var body = request.body
      if request.head.lowercased().contains("content-encoding: gzip") { body = (try? ReceivedBody.gunzip(body)) ?? [] }
      received.add((try? ReceivedBody.events(body)) ?? [])
      return .answer(200)
    }
    defer { receiver.stop() }
    let folder = try ScratchFolder()
    let telemetry = try Telemetry(folder: folder.url, receiver: receiver.url)
    for number in 1...250 { try telemetry.track(String(decoding: event(number), as: UTF8.self)) }
    await telemetry.end()
    #expect(received.numbers == Array(1...250))
    #expect(try EventQueue(path: folder.queue).counts.waiting == 0)
  }
}
