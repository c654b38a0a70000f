import EncircleDelivery
import EncircleEvents
import EncircleTestSupport
import Foundation
import Synchronization
import Testing

/// The events that a receiver took, each once, in the order of their first arrival.
final class Received: Sendable {
  private struct State {
    var requests = 0
    var keys: Set<[EventValue]> = []
    var numbers: [Int] = []
    var repeats = 0
  }

  private let state = Mutex(State())
  var numbers: [Int] { state.withLock { $0.numbers } }
  var repeats: Int { state.withLock { $0.repeats } }

  /// Returns how many requests there were before this one.
  func count() -> Int {
    state.withLock { state in
      state.requests += 1
      return state.requests - 1
    }
  }

  func add(_ events: [AnalyticsEvent]) {
    state.withLock { state in
      for event in events {
        guard state.keys.insert(ReceivedBody.key(event)).inserted else {
          state.repeats += 1
          continue
        }
        if let number = ReceivedBody.number(event) { state.numbers.append(number) }
      }
    }
  }
}

@Suite("A process that is killed")
struct KillTests {
  /// The program lies beside the test bundle.
  private static let executable: URL? = {
    var folders = CommandLine.arguments.filter { $0.contains(".xctest") }.map {
      URL(fileURLWithPath: $0).deletingLastPathComponent()
    }
    folders += [Bundle.main.bundleURL] + Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
    folders.append(PackageFolder.root.appendingPathComponent(".build/debug"))
    return folders.map { $0.appendingPathComponent("EncircleDeliveryProcess") }.first {
      FileManager.default.isExecutableFile(atPath: $0.path)
    }
  }()

  /// Says where numbers are not 1, 2, 3 and so on; nil if they are.
  private static func firstDifference(_ numbers: [Int], upTo last: Int) -> String? {
    if let index = numbers.indices.first(where: { numbers[$0] != $0 + 1 }) {
      return "number \(numbers[index]) arrived where \(index + 1) should"
    }
    return numbers.count == last ? nil : "\(numbers.count) arrived, and none behind them"
  }

  @Test(
    "loses nothing, disorders nothing and repeats nothing that the receiver does not recognise, however often it is killed",
    .articles("W32", "L19")
  )
  func kills() throws {
    let executable = try #require(Self.executable, "EncircleDeliveryProcess has not been built")
    let folder = try ScratchFolder()
    let received = Received()
    let receiver = try LocalReceiver { request in
      let events = (try? ReceivedBody.sensorsEvents(request.body)) ?? []
      switch received.count() % 11 {
      case 3: return .answer(503)
      case 6: return .close
      case 9:
        // The events are taken, but the sender gets no answer.
        received.add(events)
        return .close
      default:
        received.add(events)
        return .answer(200)
      }
    }
    defer { receiver.stop() }
    let log = folder.url.appendingPathComponent("log")
    var random = SeededGenerator(seed: 18)
    var last = 0
    let kills = TestSize.isFull ? 200 : 12
    // Most of this time is for busy machines: each run takes less than half a second.
    let end = ContinuousClock.now + .seconds(10 * kills)
    var killed = 0
    while killed <= kills {
      let isLast = killed == kills || ContinuousClock.now > end
      try Data().write(to: log)
      let process = Process()
      process.executableURL = executable
      let count = isLast ? 50 : 1_000_000
      process.arguments = [
        folder.queue, String(receiver.port), String(random.next()), String(last + 1), String(count),
      ]
      process.standardOutput = try FileHandle(forWritingTo: log)
      try process.run()
      if !isLast {
        // The kill comes at any time from before the file is open until far into sending.
        usleep(UInt32.random(in: 0..<300_000, using: &random))
        kill(process.processIdentifier, SIGKILL)
      }
      process.waitForEnd()
      let text = String(decoding: try PackageFolder.bytes(log), as: UTF8.self)
      let complete = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      if let number = complete.last.flatMap({ Int($0) }) { last = number }
      if isLast {
        #expect(process.terminationStatus == 0)
        break
      }
      killed += 1
    }
    #expect(killed == kills, "too slow for all kills")
    // The lists themselves are not compared in #expect, which would print them.
    let difference = Self.firstDifference(received.numbers, upTo: last)
    #expect(difference == nil, "of \(last) events, \(received.repeats) repeats")
    #expect(last > 50)
    #expect(folder.names.filter { $0.contains("damaged") }.isEmpty)
    print("\(killed) kills, \(last) events stored, \(received.repeats) recognised repeats")
  }
}
