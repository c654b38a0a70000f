import EncircleEvents
import EncircleInput
import EncircleText

extension SessionConfiguration {
  // A year is longer than any session.
  private static let seconds: ClosedRange<Int64> = 0...31_536_000
  private static let counts: ClosedRange<Int64> = 0...1_000_000
  static let apps: ClosedRange<Int64> = 0...1_000

  /// Applies the settings that an object has; the others stay unchanged.
  mutating func apply(_ object: SignalObject) throws(SessionError) {
    if let text = try object.string("about") { about = text }
    if let events = try object.keywords("autoTrack", AutomaticEvent.self) { automaticEvents = Set(events) }
    if let flag = try object.flag("pageLeave") { tracksPageLeave = flag }
    if let flag = try object.flag("childPageLeave") { tracksChildPageLeave = flag }
    if let flag = try object.flag("childScreens") { tracksChildScreens = flag }
    if let flag = try object.flag("crash") { tracksCrashes = flag }
    if let flag = try object.flag("session") { numbersSessions = flag }
    // The SDK keeps its default value instead of 0.
    if let value = try object.integer("sessionTimeout", in: Self.seconds), value > 0 { sessionTimeout = Int(value) }
    if let value = try object.integer("flushBulkSize", in: Self.counts) { flushBulkSize = Int(value) }
    if let flag = try object.flag("flushes") { flushesByTimer = flag }
    if let names = try object.strings("ignoreControllers") { ignoredControllers = names }
    if let names = try object.strings("ignorePageLeave") { ignoredLeaves = names }
    if let names = try object.strings("ignoreTypes") { ignoredViewTypes = names }
    if let flag = try object.flag("clearReferrer") { clearsReferrer = flag }
    if let id = try object.string("app") { app = id }
    if let id = try object.string("idfa") { advertisingID = id }
    if let id = try object.string("idfv") { vendorID = id }
    if let kinds = try object.keywords("networks", NetworkSignal.Kind.self) { networks = Set(kinds) }
    if let schemes = try object.keywords("idSchemes", IDScheme.self) { idSchemes = schemes }
    if let flag = try object.flag("keychain") { usesKeychain = flag }
    if let value = try object.integer("vendorApps", in: Self.apps) { vendorApps = Int(value) }
    if let name = try object.string("timezone") {
      guard DeviceDay.isTimeZone(name) else {
        throw object.error("unknown time zone '\(VisibleText.shortened(name))'", at: object.member("timezone"))
      }
      timeZone = name
    }
  }

  /// Applies the settings in a file, which has the form of a session's first line; the others stay unchanged.
  ///
  /// - Throws: ``SessionError``.
  public mutating func apply(contentsOf path: String, limits: SessionLimits = SessionLimits()) throws(SessionError) {
    let name = path == "-" ? "<stdin>" : path
    let bytes: [UInt8]
    do throws(InputError) {
      var source = try ByteSource(path: path)
      bytes = try source.readAll(limit: limits.lineBytes)
    } catch {
      throw .input(error, file: name)
    }
    var tape = JSONTape(depthLimit: limits.depth, nodeLimit: limits.lineValues)
    try withContiguousBytes(bytes.withoutByteOrderMark) { text throws(SessionError) in
      do throws(JSONError) {
        try tape.parse(text)
      } catch {
        throw .invalid(Diagnostic(error.kind.message, file: name, at: SourceLocation(of: error.offset, in: text)))
      }
      let object = SignalObject(tape: tape, text: text, node: 0, file: name, line: 1, limits: limits)
      guard tape[0].kind == .object else { throw object.error(JSONError.Kind.notAnObject.message) }
      try apply(object)
    }
  }
}
