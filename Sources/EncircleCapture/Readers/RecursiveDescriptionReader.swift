import EncircleText
import EncircleTree

/// Reads the text that UIKit's `-[UIView recursiveDescription]` prints.
///
/// There is one view per line, with `   | ` in front for each level of nesting:
///
///     <UIWindow: 0x7f8b; frame = (0 0; 375 667); gestureRecognizers = <NSArray: 0x6000>; layer = <UIWindowLayer: 0x6001>>
///        | <ShopLabel: 0x7f8c; baseClass = UILabel; frame = (16 80; 200 20); text = 'What's new'; layer = <CALayer: 0x6002>>
///
/// In copied dumps the pointers may be missing, and comment marks and quotes may precede lines. Lines that end in `(layer)` are not
/// views. Lines of other text may precede the first view, follow the last one, and separate windows; if they are a
/// ``ControllerHierarchy``, the views get its controllers.
struct RecursiveDescriptionReader {
  private typealias Failure = ViewDescriptionScanner.Failure

  private let text: UnsafeBufferPointer<UInt8>
  private let limits: CaptureLimits
  private var builder = ViewTree.Builder(format: .recursiveDescription)
  private var scanner: ViewDescriptionScanner
  // The depths of the open elements, as their lines give them. A depth is missing where a layer stands between views.
  private var openDepths: [Int] = []
  private var lastDepth: Int?
  // The depth of the last view without a superview. It is not 0 if the text begins inside a window.
  private var rootDepth: Int?
  // The first line since the last view that is neither a view nor empty.
  private var otherLine: Int?

  private var join: ControllerJoin
  // The controllers that the text itself lists, and whether there is a line of them.
  private var listed = ControllerHierarchy()
  private var hasControllers = false

  private init(_ text: UnsafeBufferPointer<UInt8>, limits: CaptureLimits, controllers: ControllerHierarchy?) {
    self.text = text
    self.limits = limits
    join = ControllerJoin(controllers)
    scanner = ViewDescriptionScanner(text, limits: limits)
  }

  /// Reads a dump in UTF-8.
  ///
  /// - Parameters:
  ///   - start: The offset of the first view.
  ///   - controllers: The view controllers of the views, in addition to those that the text itself lists.
  /// - Complexity: O(bytes).
  static func parse(
    _ text: UnsafeBufferPointer<UInt8>, from start: Int, limits: CaptureLimits,
    controllers: ControllerHierarchy? = nil
  ) throws(CaptureError) -> ViewTree {
    try TextEncoding.check(text)
    let escaped = EscapedText(text, firstView: start)
    do throws(Failure) {
      guard let escaped else { return try read(text, limits, controllers) }
      return try escaped.bytes.withUnsafeBufferPointer { text throws(Failure) in try read(text, limits, controllers) }
    } catch {
      let offset = escaped == nil ? error.offset : EscapedText.originalOffset(of: error.offset, in: text)
      throw CaptureError(error.kind, at: SourceLocation(of: offset, in: text))
    }
  }

  private static func read(
    _ text: UnsafeBufferPointer<UInt8>, _ limits: CaptureLimits, _ controllers: ControllerHierarchy?
  ) throws(Failure) -> ViewTree {
    var reader = RecursiveDescriptionReader(text, limits: limits, controllers: controllers)
    try reader.readLines()
    guard reader.builder.count > 0 else { throw Failure(kind: .noElements, offset: 0) }
    if reader.hasControllers {
      // Controllers may be listed behind the views, so the views are read a second time.
      var all = controllers ?? ControllerHierarchy()
      all.add(reader.listed)
      reader = RecursiveDescriptionReader(text, limits: limits, controllers: all)
      try reader.readLines()
    }
    reader.builder.controllersWithoutView = reader.join.missing
    return reader.builder.finish()
  }

  // MARK: - Lines

  private mutating func readLines() throws(Failure) {
    var start = 0
    while start < text.count {
      if let (depth, place) = view(inLineAt: start) {
        start = try readView(at: place, depth: depth)
      } else {
        let end = text.lineEnd(from: start)
        try skipLine(start..<end)
        start = end
      }
      // Skips the line break.
      start += 1
    }
  }

  /// Returns the depth of the view in a line and the offset of its `<`; nil without a view. The prefix that a log adds may precede it.
  private func view(inLineAt start: Int) -> (depth: Int, place: Int)? {
    if let (depth, place) = ViewLine.nesting(of: text, at: start),
      ViewLine.isHead(text, at: place, allowsBareName: true)
    {
      return (depth, place)
    }
    var i = start
    while i < text.count, text[i] != 0x0A, text[i] != 0x0D {
      if text[i] == UInt8(ascii: "<"), ViewLine.isCertain(text, at: i) {
        // Brackets and bars directly before it belong to it.
        var place = i
        while place > start, text[place - 1] == UInt8(ascii: "<") { place -= 1 }
        var depth = 0
        var mark = place
        while mark > start, ViewLine.isMark(text[mark - 1]) {
          mark -= 1
          if text[mark] == UInt8(ascii: "|") { depth += 1 }
        }
        // A bar before anything else than marks makes the depth uncertain.
        if text[start..<mark].contains(UInt8(ascii: "|")) { return nil }
        return (depth, place)
      }
      i += 1
    }
    return nil
  }

  /// Skips a line that is not a view, or throws an error if the line is inside a tree, where it may be a broken view.
  private mutating func skipLine(_ range: Range<Int>) throws(Failure) {
    let line = text.part(range)
    let hasBar = line.contains(UInt8(ascii: "|"))
    if !hasBar, line.allSatisfy({ ViewLine.isMark($0) }) { return }
    if listed.add(line: line) {
      hasControllers = true
      if lastDepth != nil, otherLine == nil { otherLine = range.lowerBound }
      return
    }
    // A bar without a view is a part of a view's line that was broken in two.
    if lastDepth != nil, hasBar || line.contains(UInt8(ascii: "<")) {
      throw Failure(kind: .unexpectedLine, offset: range.lowerBound)
    }
    if otherLine == nil { otherLine = range.lowerBound }
  }

  // MARK: - Views

  /// Reads a view.
  ///
  /// - Returns: The offset of the end of its last line.
  private mutating func readView(at start: Int, depth: Int) throws(Failure) -> Int {
    if let lastDepth {
      if let otherLine, depth > 0 { throw Failure(kind: .unexpectedLine, offset: otherLine) }
      if depth > lastDepth + 1 { throw Failure(kind: .missingLevel, offset: start) }
    }
    otherLine = nil
    lastDepth = depth
    let view = try scanner.read(at: start)
    if view.isLayer { return view.end }
    while let open = openDepths.last, open >= depth {
      openDepths.removeLast()
      builder.endElement()
    }
    if openDepths.isEmpty {
      // Views at different depths have different superviews, which the text lacks. So they are not siblings.
      if let rootDepth, depth < rootDepth { builder.beginWindowGroup() }
      rootDepth = depth
    }
    guard openDepths.count < limits.depth else { throw Failure(kind: .tooDeep(limit: limits.depth), offset: start) }
    guard builder.count < limits.elements else {
      throw Failure(kind: .tooManyElements(limit: limits.elements), offset: start)
    }
    openDepths.append(depth)
    builder.beginElement(class: text.part(view.className))
    if let controller = join.controller(ofViewAt: view.address(in: text)) {
      controller.withUnsafeBufferPointer { builder.addAttribute(.controller, $0) }
    }
    try ViewFields(text, limits: limits).add(scanner.fields, of: view, to: &builder)
    if let passed = builder.passedLimit(of: limits, bytes: text.count) { throw Failure(kind: passed, offset: start) }
    return view.end
  }
}
