// Stores numbered events and sends them, until it is killed: PATH PORT SEED FIRST COUNT. Or measures how fast that is:
// measure PATH PORT COUNT.
//
// Each time that storing has returned, it writes the number of the last stored event on a line. When all are stored, it waits
// until all are sent, however long that takes, but ends with status 75 if none has been sent for a minute.

import EncircleDelivery
import Foundation
import Synchronization

/// Keeps the reason of the last failure to send.
final class LastFailure: Sendable {
  private let last = Mutex("none")
  var text: String { last.withLock { $0 } }

  func note(_ notice: DeliveryNotice) {
    guard case .failed(let failure, _) = notice else { return }
    last.withLock { $0 = "\(failure)" }
  }
}

enum DeliveryProcess {
  static func run(_ arguments: [String]) async -> Int32 {
    guard arguments.count == 6, let port = Int(arguments[2]), let seed = UInt64(arguments[3]),
      let first = Int(arguments[4]), let count = Int(arguments[5]),
      let url = URL(string: "http://127.0.0.1:\(port)/sa?project=default")
    else { return 64 }
    var policy = DeliveryPolicy.careful
    policy.format = .sensors
    policy.flushAbove = 5
    policy.interval = 0.02
    policy.eventsPerRequest = 20
    policy.backoff = Backoff(first: 0.005, longest: 0.02)
    do {
      let queue = try EventQueue(path: arguments[1], limits: policy.limits)
      let failures = LastFailure()
      let sender = EventSender(
        queue: queue, transport: HTTPTransport(url: url, timeout: 10), policy: policy, report: failures.note)
      let sending = Task { await sender.run() }
      var random = seed
      var number = first
      while number < first + count {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let last = min(number + Int(random >> 62), first + count - 1)
        try sender.store((number...last).map(event))
        FileHandle.standardOutput.write(Data("\(last)\n".utf8))
        number = last + 1
        if random >> 60 == 0 { try await Task.sleep(for: .milliseconds(3)) }
      }
      var (waiting, lastProgress) = (queue.counts.waiting, ContinuousClock.now)
      while waiting > 0, ContinuousClock.now < lastProgress + .seconds(60) {
        try await Task.sleep(for: .milliseconds(5))
        if queue.counts.waiting < waiting { (waiting, lastProgress) = (queue.counts.waiting, .now) }
      }
      sending.cancel()
      await sending.value
      if queue.counts.waiting == 0 { return 0 }
      let text =
        "\(queue.counts.waiting) events wait, none of which went out in a minute; the last failure: \(failures.text)\n"
      FileHandle.standardError.write(Data(text.utf8))
      return 75
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      return 74
    }
  }

  private static func event(_ number: Int) -> [UInt8] {
    let trackID = UInt32(truncatingIfNeeded: number &* 2_654_435_761)
    return Array(
      """
      {"_track_id":\(trackID),"time":\(1_700_000_000_000 + number),"distinct_id":"u1","type":"track","event":"$AppClick",\
      "properties":{"number":\(number),"text":"\(String(repeating: "x", count: number % 300))"}}
      """.utf8)
  }
}

/// Prints how fast events are stored and sent, and the memory that it takes.
enum Measurement {
  static func run(_ arguments: [String]) async -> Int32 {
    guard arguments.count == 5, let port = Int(arguments[3]), let count = Int(arguments[4]), count > 1000,
      let url = URL(string: "http://127.0.0.1:\(port)/sa")
    else { return 64 }
    do {
      let limits = QueueLimits(events: count, bytes: .max)
      let runs = [
        (1, min(count, 2000), Durability.powerLoss), (1, min(count, 20_000), .crash),
        (100, min(count, 100_000), .powerLoss),
        (1000, count, .powerLoss),
      ]
      for (group, number, durability) in runs {
        try? FileManager.default.removeItem(atPath: arguments[2])
        let queue = try EventQueue(path: arguments[2], limits: limits, durability: durability)
        try measure("stored, \(group) in a call, durability \(durability)", number) {
          for first in stride(from: 1, through: number, by: group) {
            try queue.store((first..<min(first + group, number + 1)).map(event))
          }
        }
        queue.close()
      }
      print("peak after storing: \(peakMemory) KiB")
      var opened: EventQueue?
      try measure("waiting when the file was opened", count) {
        opened = try EventQueue(path: arguments[2], limits: limits)
      }
      guard let queue = opened else { return 74 }
      for (name, policy) in [("sensors", DeliveryPolicy.sensors), ("careful", .careful)] {
        var policy = policy
        policy.requestsPerFlush = name == "sensors" ? 1000 : .max
        let sender = EventSender(queue: queue, transport: HTTPTransport(url: url), policy: policy)
        let start = ContinuousClock.now
        let report = await sender.flush()
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        print(
          "\(name): \(report.delivered) sent in \(report.requests) requests, \(Int(Double(report.delivered) / seconds))/s"
        )
        if let failure = report.failure { print("failed: \(failure)") }
      }
      print("peak after sending: \(peakMemory) KiB, \(queue.counts.waiting) waiting")
      return 0
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      return 74
    }
  }

  private static func measure(_ what: String, _ count: Int, _ body: () throws -> Void) rethrows {
    let start = ContinuousClock.now
    try body()
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    print("\(count) events \(what): \(seconds) s, \(Int(Double(count) / seconds))/s")
  }

  private static func event(_ number: Int) -> [UInt8] {
    Array(
      """
      {"_track_id":\(number),"time":\(1_700_000_000_000 + number),"distinct_id":"u1","type":"track","event":"$AppClick",\
      "properties":{"$screen_name":"HomeViewController","$title":"Home","$element_type":"UIButton","$element_content":\
      "Add to cart","$element_path":"UIView/UITableView[0]/ProductCell[0][-]/UIButton[1]","$element_position":"0:7",\
      "$app_version":"5.2.1","$os":"iOS","$os_version":"18.1","$model":"iPhone17,1","$lib":"iOS","$lib_version":"4.8.3",\
      "$screen_width":402,"$screen_height":874,"$wifi":true,"$network_type":"WIFI","$is_first_day":false}}
      """.utf8)
  }

  private static var peakMemory: Int {
    var usage = rusage()
    // RUSAGE_SELF, which has another type on each system.
    getrusage(0, &usage)
    return usage.ru_maxrss
  }
}

if CommandLine.arguments.dropFirst().first == "measure" { exit(await Measurement.run(CommandLine.arguments)) }
exit(await DeliveryProcess.run(CommandLine.arguments))
