import EncircleCapture
import EncircleEvents
import EncircleIdentity
import EncircleInput
import EncircleRules
import EncircleText
import EncircleTree
import Foundation
import Synchronization

/// A capture that signals refer to.
public final class SessionCapture: Sendable {
  /// The path from which it was read.
  public let name: String
  /// Its elements.
  public let screen: IdentifiedTree

  private let events = Mutex<[PathStyleName: ElementEvents]>([:])

  init(name: String, _ tree: ViewTree) {
    self.name = name
    screen = IdentifiedTree(tree)
  }

  private let knownChains = Mutex<PathChains?>(nil)

  /// The elements in the form that path styles use.
  var chains: PathChains {
    knownChains.withLock { known in
      if let known { return known }
      let chains = PathChains(of: screen)
      known = chains
      return chains
    }
  }

  fileprivate func events(in style: PathStyleName) -> ElementEvents {
    events.withLock { known in
      if let events = known[style] { return events }
      let events = ElementEvents(of: screen, style: style)
      known[style] = events
      return events
    }
  }
}

/// An element of a capture that a signal is about.
public struct CapturedElement: Sendable {
  public let capture: SessionCapture
  public let element: ElementID

  /// The view's name if the session gives it none.
  var id: String { "\(capture.name)#\(element)" }
  /// The class as the app's source names it.
  var className: String { capture.screen.className(of: element) }
  /// The superclasses that the capture names, the nearest first.
  var superclasses: [String] {
    let names = capture.screen.tree.value(.superclasses, of: element) ?? ""
    return names.utf8.split(whereSeparator: isWhiteSpace).map { String(Substring($0)) }
  }
  /// The nearest list around it; nil if there is none.
  var list: CapturedElement? {
    var current = capture.screen.tree.parent(of: element)
    while let parent = current {
      if !capture.screen.kinds(of: parent).isDisjoint(with: [.tableView, .collectionView]) {
        return CapturedElement(capture: capture, element: parent)
      }
      current = capture.screen.tree.parent(of: parent)
    }
    return nil
  }
  var isHidden: Bool { capture.screen.tree.isHidden(element) }

  /// Returns the click on the element as the SDK of a style sends it, with the properties that the capture provides.
  ///
  /// - Complexity: O(depth + length of the content); the first time for a capture and a style O(elements).
  public func event(in style: PathStyleName) -> AnalyticsEvent { capture.events(in: style).event(of: element) }

  /// Returns the properties of ``event(in:)``.
  func properties(in style: PathStyleName) -> EventObject {
    guard case .object(let properties)? = event(in: style).members["properties"] else { return EventObject() }
    return properties
  }

  /// Returns the first descendant of a class, in pre-order, that contains a point of the element. Descendants inside another
  /// view of that class are skipped.
  ///
  /// - Complexity: O(descendants).
  func descendant(ofClass name: UTF8String, at point: (x: Double, y: Double)) -> CapturedElement? {
    let (screen, tree) = (capture.screen, capture.screen.tree)
    // The ancestors of the next element, each with its end and its origin in this element.
    var ancestors = [(end: tree.subtreeEnd(of: element), x: 0.0, y: 0.0)]
    var next = element.index + 1
    while next < ancestors[0].end.index {
      let current = ElementID(next)
      while let last = ancestors.last, last.end <= current { ancestors.removeLast() }
      let frame = tree.frame(of: current)
      let x = (ancestors.last?.x ?? 0) + (frame?.x ?? 0)
      let y = (ancestors.last?.y ?? 0) + (frame?.y ?? 0)
      if UTF8String(screen.className(of: current)) == name {
        if let frame, point.x >= x, point.x < x + frame.width, point.y >= y, point.y < y + frame.height {
          return CapturedElement(capture: capture, element: current)
        }
        next = tree.subtreeEnd(of: current).index
      } else {
        ancestors.append((tree.subtreeEnd(of: current), x, y))
        next += 1
      }
    }
    return nil
  }

  /// Returns the cell of a list at an index path; nil if there is none.
  ///
  /// - Complexity: O(descendants).
  func cell(section: Int, row: Int) -> CapturedElement? {
    let (screen, tree) = (capture.screen, capture.screen.tree)
    let cells: ViewKinds = [.tableViewCell, .collectionViewCell, .anyCell]
    var next = element.index + 1
    let end = tree.subtreeEnd(of: element).index
    while next < end {
      let current = ElementID(next)
      guard !screen.kinds(of: current).isDisjoint(with: cells) else {
        next += 1
        continue
      }
      let locator = screen.locator(of: current)
      if locator == .row(section: section, row: row) || locator == .item(section: section, item: row) {
        return CapturedElement(capture: capture, element: current)
      }
      // Lists inside a cell have their own cells.
      next = tree.subtreeEnd(of: current).index
    }
    return nil
  }
}

/// The captures of a session. Each is read once and kept, up to the limit for all of them together.
final class SessionCaptures {
  private let folder: String
  private let limits: SessionLimits
  private var captures: [UTF8String: SessionCapture] = [:]
  private var elements = 0

  /// - Parameter folder: The folder of the session, to which paths are relative.
  init(folder: String, limits: SessionLimits) {
    self.folder = folder
    self.limits = limits
  }

  /// A capture that cannot be used, with the reason.
  struct Failure: Error {
    let message: String
  }

  func capture(_ name: String) throws(Failure) -> SessionCapture {
    if name.utf8.isEmpty { throw Failure(message: "'capture' is empty: expected the path of a file") }
    let path = name.utf8.first == UInt8(ascii: "/") ? name : FilePath.joining(folder, name)
    if let known = captures[UTF8String(path)] { return known }
    if FileDescriptor.isStream(path) { throw Failure(message: "\(path): is a pipe or a device, not a file") }
    var reader = CaptureReader()
    reader.limits.elements = min(reader.limits.elements, limits.captureElements)
    let tree: ViewTree
    do throws(CaptureError) {
      tree = try reader.read(contentsOf: path)
    } catch {
      let place = error.location.map { ":\($0)" } ?? ""
      throw Failure(message: "\(path)\(place): \(error.message)")
    }
    // Signals are those of UIKit, and every model is one of an SDK for iOS.
    if tree.isAndroid || tree.web != nil {
      let shown = tree.isAndroid ? "an Android screen" : "a web page"
      throw Failure(message: "\(path): is \(shown), but sessions are of iOS apps")
    }
    elements += tree.count
    if elements > limits.captureElements {
      throw Failure(message: "the captures of the session have more than \(limits.captureElements) elements together")
    }
    let capture = SessionCapture(name: path, tree)
    captures[UTF8String(path)] = capture
    return capture
  }
}
