import CLibxml2

/// A reader of a part of a workbook. It is a class because libxml2's callbacks get a pointer to it.
class XMLHandler {
  /// A problem that ends reading.
  fileprivate(set) var failure: WorkbookError.Kind?

  func start(_ name: String, _ attributes: XMLAttributes) {}
  func text(_ bytes: UnsafeBufferPointer<UInt8>) {}
  func end(_ name: String) {}

  func fail(_ kind: WorkbookError.Kind) { failure = failure ?? kind }
}

/// The attributes of a tag, by their local names.
struct XMLAttributes {
  fileprivate let values: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  fileprivate let count: Int

  /// - Complexity: O(attributes).
  subscript(name: String) -> String? {
    // libxml2 gives the local name, prefix, namespace, and where the value begins and ends.
    for i in 0..<count {
      guard let values, let own = values[5 * i], let start = values[5 * i + 3], let end = values[5 * i + 4] else {
        continue
      }
      guard name.utf8.elementsEqual(UnsafeBufferPointer(start: own, count: length(own))) else { continue }
      return String(decoding: UnsafeBufferPointer(start: start, count: end - start), as: UTF8.self)
    }
    return nil
  }
}

private func length(_ text: UnsafePointer<xmlChar>) -> Int {
  var end = text
  while end.pointee != 0 { end += 1 }
  return end - text
}

/// Reads parts of XML by libxml2's SAX2 parser, with its own limits on depth and on sizes of texts and names. Document types are refused
/// before an entity can be declared.
enum XMLParts {
  private static let initialized: Void = xmlInitParser()

  // libxml2 compares each attribute of a tag with all others, when the tag is complete, and looks up a name in time linear in the number
  // of different names.
  private static let maximumAttributes = 256
  private static let maximumMarkup = 1 << 17
  private static let maximumNames = 100_000

  /// Reads a part; returns false if the archive does not have it.
  static func read(
    _ name: String, of archive: inout ZIPReader, by handler: XMLHandler
  ) throws(WorkbookError) -> Bool {
    _ = initialized
    var handlers = Self.handlers()
    let data = Unmanaged.passUnretained(handler).toOpaque()
    guard let context = xmlCreatePushParserCtxt(&handlers, data, nil, 0, nil) else { throw WorkbookError(.noMemory) }
    defer {
      if context.pointee.myDoc != nil { xmlFreeDoc(context.pointee.myDoc) }
      xmlFreeParserCtxt(context)
    }
    xmlCtxtUseOptions(context, Int32(bitPattern: XML_PARSE_NONET.rawValue | XML_PARSE_NOENT.rawValue))
    func parse(_ piece: UnsafeBufferPointer<UInt8>, isLast: Bool) throws(WorkbookError) {
      let status = piece.withMemoryRebound(to: CChar.self) {
        xmlParseChunk(context, $0.baseAddress, Int32($0.count), isLast ? 1 : 0)
      }
      if let failure = handler.failure { throw WorkbookError(failure, name) }
      guard status == 0 else { throw WorkbookError(.malformed, name) }
      // Text is read as it comes; a tag or comment waits for its end.
      if let input = context.pointee.input, let start = input.pointee.cur, let end = input.pointee.end,
        end - start > Self.maximumMarkup
      {
        throw WorkbookError(.tooMany("bytes in one tag or comment", limit: Self.maximumMarkup), name)
      }
      if Int(xmlDictSize(context.pointee.dict)) > Self.maximumNames {
        throw WorkbookError(.tooMany("different names of elements and attributes", limit: Self.maximumNames), name)
      }
    }
    let isThere = try archive.read(name) { piece throws(WorkbookError) in try parse(piece, isLast: false) }
    guard isThere else { return false }
    try parse(UnsafeBufferPointer(start: nil, count: 0), isLast: true)
    return true
  }

  private static func handlers() -> xmlSAXHandler {
    var handlers = xmlSAXHandler()
    handlers.initialized = UInt32(XML_SAX2_MAGIC)
    handlers.internalSubset = { data, _, _, _ in XMLParts.handler(data)?.fail(.documentType) }
    handlers.startElementNs = { data, name, _, _, _, _, count, _, values in
      guard let name, let handler = XMLParts.handler(data), handler.failure == nil else { return }
      if Int(count) > XMLParts.maximumAttributes {
        return handler.fail(.tooMany("attributes in one element", limit: XMLParts.maximumAttributes))
      }
      handler.start(String(cString: name), XMLAttributes(values: values, count: Int(count)))
    }
    handlers.endElementNs = { data, name, _, _ in
      guard let name, let handler = XMLParts.handler(data), handler.failure == nil else { return }
      handler.end(String(cString: name))
    }
    handlers.characters = { data, bytes, count in
      guard let handler = XMLParts.handler(data), handler.failure == nil else { return }
      handler.text(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }
    handlers.cdataBlock = handlers.characters
    // Without a handler, libxml2 would print errors.
    handlers.serror = { _, _ in }
    return handlers
  }

  private static func handler(_ data: UnsafeMutableRawPointer?) -> XMLHandler? {
    data.map { Unmanaged<XMLHandler>.fromOpaque($0).takeUnretainedValue() }
  }
}
