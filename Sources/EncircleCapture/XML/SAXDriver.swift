import CLibxml2
import EncircleText
import EncircleTree

/// Runs libxml2's SAX2 parser over a capture and passes the tags to an ``XMLTreeBuilder``.
///
/// libxml2's own limits, such as 256 levels of nesting, are lifted in favour of ``CaptureLimits``. That is safe because document
/// types are rejected before an entity can be declared, and ``TagScan`` has found oversized tags.
struct SAXDriver {
  // Some tools add a namespace declaration to the root. There may not be many, as looking up a prefix takes time linear
  // in their number.
  private static let namespaceLimit = 16
  // The bytes of all different names of elements, attributes and processing instructions. libxml2 keeps them in a hash table that stops
  // growing at some thousand places, so looking up a name takes time linear in their number.
  private static let nameBytes = 1 << 20

  private let text: UnsafeBufferPointer<UInt8>
  private let limits: CaptureLimits
  private var builder: XMLTreeBuilder
  private var context: xmlParserCtxtPtr?
  private var failure: CaptureError?
  private var namespaces = 0
  private var openTags = 0
  // This is true if the root has ended and only text follows.
  private var hasEnded = false

  private init(_ text: UnsafeBufferPointer<UInt8>, format: CaptureFormat?, limits: CaptureLimits) {
    self.text = text
    self.limits = limits
    builder = XMLTreeBuilder(format: format)
  }

  /// Reads an XML capture, whose text is UTF-8 whatever it declares.
  ///
  /// - Parameter format: The expected format, or nil to detect it from the first elements.
  static func parse(
    _ text: UnsafeBufferPointer<UInt8>, format: CaptureFormat?, limits: CaptureLimits
  ) throws(CaptureError) -> ViewTree {
    // libxml2 would take a NUL behind the first `<` for a sign of UTF-16 or UTF-32, and decode what the scan for oversized tags has
    // read as UTF-8.
    if text.count > 1, text[1] == 0 { throw CaptureError(.nulByte, at: SourceLocation(of: 1, in: text)) }
    guard let mended = DetoxNumbers.mended(text) else { return try parseMended(text, format: format, limits: limits) }
    return try mended.withUnsafeBufferPointer { text throws(CaptureError) in
      try parseMended(text, format: format, limits: limits)
    }
  }

  private static func parseMended(
    _ text: UnsafeBufferPointer<UInt8>, format: CaptureFormat?, limits: CaptureLimits
  ) throws(CaptureError) -> ViewTree {
    try TagScan.check(text, limits: limits)
    guard text.count < Int(Int32.max) else { throw CaptureError(.tooLarge(limit: Int(Int32.max) - 1)) }
    guard let mended = SurrogatePairs.mended(text) else { return try parseText(text, format: format, limits: limits) }
    return try mended.withUnsafeBufferPointer { text throws(CaptureError) in
      try parseText(text, format: format, limits: limits)
    }
  }

  private static func parseText(
    _ text: UnsafeBufferPointer<UInt8>, format: CaptureFormat?, limits: CaptureLimits
  ) throws(CaptureError) -> ViewTree {
    var driver = SAXDriver(text, format: format, limits: limits)
    try withUnsafeMutablePointer(to: &driver) { driver throws(CaptureError) in try run(driver) }
    return try driver.builder.finish()
  }

  private static let initialized: Void = xmlInitParser()

  /// Parses with a driver behind a pointer, which libxml2 passes to the callbacks. An object in place of the pointer
  /// would cost each callback a reference count and an exclusivity check.
  private static func run(_ driver: UnsafeMutablePointer<SAXDriver>) throws(CaptureError) {
    _ = initialized
    let text = driver.pointee.text
    guard let context = xmlCreateMemoryParserCtxt(text.baseAddress, Int32(text.count)) else {
      throw CaptureError(.empty)
    }
    driver.pointee.context = context
    defer {
      driver.pointee.context = nil
      if context.pointee.myDoc != nil { xmlFreeDoc(context.pointee.myDoc) }
      xmlFreeParserCtxt(context)
    }
    context.pointee.sax.pointee = handlers()
    context.pointee.userData = UnsafeMutableRawPointer(driver)
    // IGNORE_ENC: the text has been converted, so the encoding that it declares is no longer the one it is in.
    // NOENT: otherwise `&amp;` would arrive as `&#38;` in attribute values. There are no other entities, as document
    // types are refused.
    // RECOVER: otherwise libxml2 would go on to the end of the text behind an error, without callbacks that could stop it. It would take
    // time linear in the number of open namespaces for each element, which has no limit without callbacks.
    let options =
      XML_PARSE_NONET.rawValue | XML_PARSE_HUGE.rawValue | XML_PARSE_IGNORE_ENC.rawValue | XML_PARSE_NOENT.rawValue
      | XML_PARSE_RECOVER.rawValue
    xmlCtxtUseOptions(context, Int32(bitPattern: options))
    xmlDictSetLimit(context.pointee.dict, nameBytes)
    xmlParseDocument(context)
    if let failure = driver.pointee.failure { throw failure }
    if driver.pointee.hasEnded { return }
    guard context.pointee.wellFormed != 0 else {
      throw CaptureError(.malformedXML("not well-formed XML"), at: driver.pointee.currentLocation)
    }
  }

  private static func handlers() -> xmlSAXHandler {
    var handlers = xmlSAXHandler()
    handlers.initialized = UInt32(XML_SAX2_MAGIC)
    handlers.internalSubset = { data, _, _, _ in
      SAXDriver.at(data).pointee.refuse(.documentType)
    }
    handlers.startElementNs = { data, name, prefix, _, namespaces, _, count, _, values in
      guard let name else { return }
      SAXDriver.at(data).pointee.start(name, prefix, Int(namespaces), Int(count), values)
    }
    handlers.endElementNs = { data, _, _, _ in SAXDriver.at(data).pointee.end() }
    handlers.characters = { data, bytes, count in
      let driver = SAXDriver.at(data)
      if driver.pointee.builder.refusesText {
        driver.pointee.refuseText(UnsafeBufferPointer(start: bytes, count: Int(count)))
      }
    }
    handlers.cdataBlock = { data, bytes, count in
      let driver = SAXDriver.at(data)
      if driver.pointee.builder.refusesCDATA {
        driver.pointee.refuseText(UnsafeBufferPointer(start: bytes, count: Int(count)))
      }
    }
    handlers.serror = { data, error in
      guard let error, error.pointee.level == XML_ERR_FATAL else { return }
      SAXDriver.at(data).pointee.record(error.pointee)
    }
    return handlers
  }

  private static func at(_ data: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<SAXDriver> {
    // The pointer was set before parsing, and its target outlives the parser.
    data!.assumingMemoryBound(to: SAXDriver.self)
  }

  private mutating func start(
    _ name: UnsafePointer<xmlChar>, _ prefix: UnsafePointer<xmlChar>?, _ declared: Int, _ count: Int,
    _ values: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  ) {
    guard failure == nil else { return stop() }
    openTags += 1
    namespaces += declared
    if namespaces > Self.namespaceLimit { return refuse(.tooManyNamespaces(limit: Self.namespaceLimit)) }
    if count > limits.attributes { return refuse(.tooManyAttributes(limit: limits.attributes)) }
    do throws(CaptureError) {
      try builder.start(XMLTag(name: name, prefix: prefix, values: values, count: count))
    } catch {
      fail(error)
      return
    }
    if builder.depth > limits.depth { return refuse(.tooDeep(limit: limits.depth)) }
    if let passed = builder.passedLimit(of: limits, bytes: text.count) { return refuse(passed) }
    if builder.elementCount > limits.elements { refuse(.tooManyElements(limit: limits.elements)) }
  }

  private mutating func end() {
    guard failure == nil else { return stop() }
    builder.end()
    openTags -= 1
    if openTags == 0, onlyTextFollows {
      hasEnded = true
      stop()
    }
  }

  // This is true if only text, not markup, follows, such as the sentence that `uiautomator dump` adds.
  private var onlyTextFollows: Bool {
    guard let offset = currentOffset else { return false }
    let rest = text[offset...]
    return rest.contains { !isWhiteSpace($0) } && !rest.contains(UInt8(ascii: "<"))
  }

  private mutating func refuseText(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard failure == nil, let first = bytes.firstIndex(where: { !isWhiteSpace($0) }) else { return }
    fail(CaptureError(.unexpectedText, at: location(of: bytes.baseAddress.map { $0 + first })))
  }

  private mutating func record(_ error: xmlError) {
    guard failure == nil else { return }
    let location = SourceLocation(line: max(1, Int(error.line)), column: max(1, Int(error.int2)))
    // Some versions of libxml2 have one number for characters that XML forbids and for bytes that are no characters.
    let isInvalid = error.code == Int32(XML_ERR_INVALID_CHAR.rawValue) && text.firstInvalidUTF8 != nil
    if error.code == Int32(XML_ERR_NO_MEMORY.rawValue), let dict = context?.pointee.dict,
      Int(xmlDictGetUsage(dict)) > Self.nameBytes
    {
      failure = CaptureError(.namesTooLong(limit: Self.nameBytes), at: tagLocation ?? location)
    } else if isInvalid || error.code == Int32(XML_ERR_INVALID_ENCODING.rawValue) {
      failure = CaptureError(.badEncoding("UTF-8"), at: location)
    } else {
      failure = CaptureError(.malformedXML("not well-formed XML: \(XMLProblem.description(of: error))"), at: location)
    }
  }

  /// Ends parsing. It may be called in callbacks about content, but not in the one about errors, because libxml2 goes on to use its
  /// input then.
  private func stop() { xmlStopParser(context) }

  private mutating func refuse(_ kind: CaptureError.Kind) { fail(CaptureError(kind)) }

  private mutating func fail(_ error: CaptureError) {
    guard failure == nil else { return }
    var error = error
    error.location = error.location ?? location(of: builder.culprit) ?? tagLocation ?? currentLocation
    failure = error
    stop()
  }

  // Returns the place of a value, which lies in libxml2's input buffer unless references in it had to be decoded.
  private func location(of value: UnsafePointer<UInt8>?) -> SourceLocation? {
    guard let value, let input = context?.pointee.input, let base = input.pointee.base, value >= base,
      value <= input.pointee.end
    else { return nil }
    return SourceLocation(of: Int(input.pointee.consumed) + (value - base), in: text)
  }

  // The place of the current tag, which is the last `<`, because attribute values contain none.
  private var tagLocation: SourceLocation? {
    guard let offset = currentOffset else { return nil }
    return text[..<offset].lastIndex(of: UInt8(ascii: "<")).map { SourceLocation(of: $0, in: text) }
  }

  // The offset that libxml2 has reached.
  private var currentOffset: Int? {
    guard let input = context?.pointee.input, let base = input.pointee.base, let current = input.pointee.cur else {
      return nil
    }
    return min(Int(input.pointee.consumed) + (current - base), text.count)
  }

  // The place that libxml2 has reached.
  private var currentLocation: SourceLocation? {
    guard let input = context?.pointee.input else { return nil }
    return SourceLocation(line: max(1, Int(input.pointee.line)), column: max(1, Int(input.pointee.col)))
  }
}
