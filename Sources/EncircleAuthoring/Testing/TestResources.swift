import EncircleCapture
import EncircleEvents
import EncircleIdentity
import EncircleInput
import EncircleRuleFiles
import EncircleRules
import EncircleSessions
import EncircleText
import EncircleTree
import Foundation

/// The source of the captures that tests name.
enum TestCaptureSource {
  /// In files, which a reader reads.
  case files(CaptureReader)
  /// Provided by the caller under names; the tests can then open no file.
  case named((String) -> ViewTree?)
}

/// The captures and event files that tests name; each is read once.
struct TestResources {
  /// The largest file of events, in bytes.
  static let maximumEventFileSize = 1 << 28

  /// The maximum number of events of a session.
  static let maximumSessionEvents = 100_000

  /// A file that cannot be used, with the reason.
  struct Failure: Error {
    let message: String
    /// This is true if a directory may hold the file beside captures: it is of another kind, or the style of the rules cannot serve it.
    var isBesideCaptures = false
  }

  /// The events of a file with their lines.
  struct EventFile {
    var events: [(line: Int, event: AnalyticsEvent)] = []
    /// The first line that is not an event, and why; nil if there is none.
    var problem: String?
  }

  /// A capture as a test names it.
  private struct ScreenKey: Hashable {
    let path: UTF8String
    let page: UTF8String?
  }

  private var screens: [ScreenKey: Result<IdentifiedTree, Failure>] = [:]
  private var elementEvents: [ScreenKey: ElementEvents] = [:]
  private var eventFiles: [UTF8String: Result<EventFile, Failure>] = [:]
  private var sessions: [SessionKey: Result<[(line: Int, event: AnalyticsEvent)], Failure>] = [:]
  let style: PathStyleName
  private let identity: IdentityOptions
  // The settings of the rule set; its rules are removed.
  private let ruleSet: RuleSet

  private let source: TestCaptureSource

  init(of ruleSet: RuleSet, captures reader: CaptureReader) { self.init(of: ruleSet, source: .files(reader)) }

  init(of ruleSet: RuleSet, source: TestCaptureSource) {
    self.source = source
    style = ruleSet.style
    identity = ruleSet.identity
    self.ruleSet = ruleSet.withoutRules
  }

  /// Resolves a path in a test file, which is relative to the folder of that file.
  static func path(_ path: String, from file: String) -> String {
    path.beginsWithBytes(of: "/") ? path : FilePath.joining(FilePath.folder(of: file), path)
  }

  /// Returns a capture.
  ///
  /// - Parameter page: The page that it shows, if the test says so.
  mutating func capture(_ name: String, page: UTF8String?, from file: String) throws(Failure) -> TestCapture {
    let screen = try screen(at: Self.path(name, from: file), named: name, page: page)
    return TestCapture(name: name, page: page, screen: screen)
  }

  private mutating func screen(
    at path: String, named name: String, page: UTF8String? = nil
  ) throws(Failure) -> IdentifiedTree {
    let key = ScreenKey(path: UTF8String(path), page: page)
    if let known = screens[key] { return try known.get() }
    let result = Result { () throws(Failure) in
      switch source {
      case .files(var reader):
        if let page { reader.page = page.text }
        return try Self.screen(try Self.read(path, reader), path: path, ruleSet, identity)
      case .named(let capture):
        guard page == nil else { throw Failure(message: "'page' goes with the file of a capture") }
        guard let tree = capture(name) else { throw Failure(message: "there is no capture named '\(name)'") }
        return try Self.screen(tree, path: name, ruleSet, identity)
      }
    }
    screens[key] = result
    return try result.get()
  }

  /// Throws if captures are given by name, because files must not be read then.
  private func requireFiles() throws(Failure) {
    if case .named = source { throw Failure(message: "files cannot be read here: write the events into the test") }
  }

  private static func read(_ path: String, _ reader: CaptureReader) throws(Failure) -> ViewTree {
    try requireFile(path)
    do throws(CaptureError) {
      return try reader.read(contentsOf: path)
    } catch {
      throw Failure(
        message: "\(path):\(error.location.map { "\($0):" } ?? "") \(error.message)",
        isBesideCaptures: error.isOfOtherFile && !CaptureList.isNamedLikeCapture(path))
    }
  }

  private static func screen(
    _ tree: ViewTree, path: String, _ ruleSet: RuleSet, _ identity: IdentityOptions
  ) throws(Failure) -> IdentifiedTree {
    let screen = IdentifiedTree(tree, options: identity)
    let style = ruleSet.part(for: screen).style
    if let refusal = style.refusal(of: screen) {
      throw Failure(message: "\(path): \(refusal)", isBesideCaptures: true)
    }
    return screen
  }

  /// Refuses pipes and devices, because reading one may never end. In the language server, one of them is its own input.
  private static func requireFile(_ path: String) throws(Failure) {
    if FileDescriptor.isStream(path) { throw Failure(message: "\(path): is a pipe or a device, not a file") }
  }

  /// Returns the event of an element of a capture.
  mutating func event(of element: ElementID, in capture: TestCapture, from file: String) -> AnalyticsEvent {
    let key = ScreenKey(path: UTF8String(Self.path(capture.name, from: file)), page: capture.page)
    if let known = elementEvents[key] { return known.event(of: element) }
    let part = ruleSet.part(for: capture.screen)
    let events = ElementEvents(of: capture.screen, style: part.style, fields: part.fields)
    elementEvents[key] = events
    return events.event(of: element)
  }

  /// Returns the events of a file.
  mutating func events(_ name: String, from file: String) throws(Failure) -> EventFile {
    try requireFiles()
    let path = Self.path(name, from: file)
    if let known = eventFiles[UTF8String(path)] { return try known.get() }
    let result = Result { () throws(Failure) in try Self.readEvents(path) }
    eventFiles[UTF8String(path)] = result
    return try result.get()
  }

  private static func readEvents(_ path: String) throws(Failure) -> EventFile {
    try requireFile(path)
    var file = EventFile()
    do throws(InputError) {
      // The whole file is read first, as all events are kept and their size must be bounded.
      var whole = try ByteSource(path: path)
      var reader = EventReader(bytes: try whole.readAll(limit: maximumEventFileSize))
      while let record = try reader.next() {
        switch record {
        case .event(let line):
          let bytes = reader.withEvent { Array($0) }
          if let event = try? AnalyticsEvent(json: bytes) { file.events.append((line, event)) }
        case .rejection(let rejection) where file.problem == nil:
          file.problem = "\(path):\(rejection.location): not an event: \(rejection.reason.message)"
        case .rejection: break
        }
      }
    } catch {
      throw Failure(message: "\(path): \(error)")
    }
    return file
  }

  private struct SessionKey: Hashable {
    let path: UTF8String
    let sdk: SessionSDK
  }

  /// Returns the events that an SDK would have sent in a session, with the lines of their signals.
  mutating func events(
    ofSession name: String, _ sdk: SessionSDK, from file: String
  ) throws(Failure) -> [(line: Int, event: AnalyticsEvent)] {
    try requireFiles()
    let path = Self.path(name, from: file)
    let key = SessionKey(path: UTF8String(path), sdk: sdk)
    if let known = sessions[key] { return try known.get() }
    let result = Result { () throws(Failure) in try Self.replay(path, with: sdk.model) }
    sessions[key] = result
    return try result.get()
  }

  private static func replay<Model: SDKModel>(
    _ path: String, with model: Model.Type
  ) throws(Failure) -> [(line: Int, event: AnalyticsEvent)] {
    try requireFile(path)
    var events: [(line: Int, event: AnalyticsEvent)] = []
    var bytes = 0
    do throws(SessionError) {
      var replay = try SessionReplay<Model>(SessionReader(path: path))
      while events.count <= maximumSessionEvents, bytes <= maximumEventFileSize, let step = try replay.next() {
        for record in step.output.records where record.isEvent {
          let object = record.object(line: step.signal.line, life: step.life)
          bytes += EventValue.object(object).json.count
          events.append((step.signal.line, AnalyticsEvent(object)))
        }
      }
    } catch {
      switch error {
      case .input(let problem, let file): throw Failure(message: "\(file): \(problem)")
      case .invalid(let problem), .unknownAction(let problem):
        throw Failure(message: "\(path):\(problem.location.map { "\($0):" } ?? "") \(problem.message)")
      }
    }
    if events.count > maximumSessionEvents {
      throw Failure(message: "\(path): the session makes more than \(maximumSessionEvents) events")
    }
    if bytes > maximumEventFileSize {
      throw Failure(message: "\(path): the events of the session have more than \(maximumEventFileSize) bytes")
    }
    return events
  }

  /// Returns the captures at a path, or the reasons why they cannot be used: the file, or the files in the directory except those that
  /// it may hold beside captures.
  mutating func captures(_ name: String, from file: String) -> [Result<IdentifiedTree, Failure>] {
    let path = Self.path(name, from: file)
    guard case .files = source, FileDescriptor.isDirectory(path) else {
      return [Result { () throws(Failure) in try screen(at: path, named: name) }]
    }
    let list = CaptureList([path])
    var results: [Result<IdentifiedTree, Failure>] = list.failures.map {
      .failure(Failure(message: "\($0.path): \($0.reason)"))
    }
    for found in list.files {
      let result = Result { () throws(Failure) in try screen(at: found.path, named: found.path) }
      if case .failure(let failure) = result, failure.isBesideCaptures { continue }
      results.append(result)
    }
    return results
  }
}
