import EncircleCapture
import EncircleTree

extension ViewTree {
  /// The tree as text: one element per line, indented by two spaces per level.
  ///
  ///     Class (x y width height) name='value' …
  ///
  /// A title or message that a reader found on other elements has `+` in front.
  public var dump: String {
    var lines: [String] = []
    var ancestors = AncestorStack<Void>()
    for element in elements {
      ancestors.removeNonAncestors(of: element)
      var line = String(repeating: "  ", count: ancestors.values.count) + className(of: element)
      if let frame = frame(of: element) {
        let numbers = [frame.x, frame.y, frame.width, frame.height].map(Self.short)
        line += " (\(numbers.joined(separator: " ")))"
      }
      let attributes = attributes(of: element)
      for (name, value) in attributes { line += " \(name)='\(value)'" }
      for (name, id) in [("title", AttributeName.title), ("message", .message)]
      where !attributes.contains(where: { $0.name == name }) {
        if let value = value(id, of: element) { line += " +\(name)='\(value)'" }
      }
      lines.append(line)
      ancestors.push((), for: element, of: self)
    }
    return lines.joined(separator: "\n")
  }

  private static func short(_ number: Double) -> String {
    Int(exactly: number).map(String.init) ?? number.description
  }
}

/// Returns the dump of a capture's tree, or `error: ` and the error.
public func dump(_ capture: String, format: CaptureFormat? = nil, limits: CaptureLimits = CaptureLimits()) -> String {
  dump(Array(capture.utf8), format: format, limits: limits)
}

/// Returns the dump of a capture's tree, or `error: ` and the error.
public func dump(_ capture: [UInt8], format: CaptureFormat? = nil, limits: CaptureLimits = CaptureLimits()) -> String {
  var reader = CaptureReader(format: format)
  reader.limits = limits
  do throws(CaptureError) {
    return try reader.read(capture).dump
  } catch {
    return "error: \(error.location.map { "\($0): " } ?? "")\(error.message)"
  }
}

/// Returns view-tree XML with these lines inside its root, which is line 1.
public func viewTree(_ views: String, appVersion: String? = nil) -> String {
  "<viewTree version=\"1\"\(appVersion.map { " appVersion=\"\($0)\"" } ?? "")>\n\(views)\n</viewTree>\n"
}
