import EncircleAuthoring
import EncircleCapture
import EncircleIdentity
import EncircleInput
import EncircleText
import EncircleTree
import Foundation
import Synchronization

/// A stored capture in parsed form.
struct StoredScreen: Sendable {
  /// The first 16 hexadecimal digits of the SHA-256 of its bytes.
  let id: String
  let name: String
  /// The page with the most trackable elements; nil if no page is known.
  let page: String?
  let appVersion: String?
  let identified: IdentifiedTree
}

/// The stored captures, with a cache of recently read ones.
final class CaptureLibrary: Sendable {
  private let table: CaptureTable
  private let reading: CaptureReading
  private let cache: ScreenCache
  private let changes = Atomic(0)
  private let changesOfStored = Atomic(0)

  init(store: Store, limits: ServiceLimits = ServiceLimits()) {
    table = CaptureTable(store)
    reading = CaptureReading(limits: limits)
    cache = ScreenCache(limit: limits.cachedCaptureBytes)
  }

  // MARK: - Captures as trees

  /// A number that changes with every capture that is added, changed or deleted.
  var revision: Int { changes.load(ordering: .acquiring) }

  /// A number that changes with every stored capture that gets another name or page.
  var edits: Int { changesOfStored.load(ordering: .acquiring) }

  /// Returns the capture with an ID; nil if it is not stored.
  ///
  /// - Complexity: O(1) if it was read recently, otherwise O(bytes).
  func screen(_ id: String) throws -> StoredScreen? { try screen(id, evicting: true) }

  /// Calls `body` with each capture, in the order in which they were stored, until it returns false. Captures that do not fit
  /// into the cache are read one by one, so memory stays constant.
  func forEachScreen(_ body: (StoredScreen) throws -> Bool) throws {
    for id in try table.ids() {
      try WorkBudget.check()
      guard let screen = try screen(id, evicting: false) else { continue }
      guard try body(screen) else { return }
    }
  }

  private func screen(_ id: String, evicting: Bool) throws -> StoredScreen? {
    guard Self.isID(id) else { return nil }
    if let screen = cache[id] { return screen }
    let generation = cache.generation
    guard let record = try table.record(id), let source = try table.source(of: id) else { return nil }
    let tree = try reading.tree(Array(source), activity: record.activity)
    let screen = StoredScreen(
      id: id, name: record.name, page: record.page, appVersion: record.appVersion, identified: IdentifiedTree(tree))
    cache.insert(
      screen, cost: record.bytes + record.elements * ScreenCache.bytesPerElement, generation, evicting: evicting)
    return screen
  }

  /// Returns whether a text can be the ID of a capture.
  private static func isID(_ text: String) -> Bool {
    text.utf8.count == 16 && text.utf8.allSatisfy(Hexadecimal.isLowerCaseDigit)
  }

  // MARK: - What lists show

  /// Returns the record of a capture, without reading the capture; nil if it is not stored.
  func record(_ id: String) throws -> CaptureRecord? { Self.isID(id) ? try table.record(id) : nil }

  /// Returns the records of the captures that pass a filter, newest first.
  ///
  /// - Complexity: O(all captures).
  func records(
    _ filter: CaptureTable.Filter, offset: Int = 0, limit: Int = .max
  ) throws -> (records: [CaptureRecord], total: Int) {
    try table.records(filter, offset: offset, limit: limit)
  }

  /// Returns the app versions of all captures, beginning with the newest capture's.
  func appVersions() throws -> [String] { try table.appVersions() }

  /// Returns the elements whose event IDs are in a range of 32-byte numbers.
  func elements(
    from lower: Data, through upper: Data, offset: Int, limit: Int
  ) throws -> (places: [CaptureTable.Place], total: Int) {
    try table.elements(from: lower, through: upper, offset: offset, limit: limit)
  }

  /// Returns the record of a capture with these bytes, compressed or not; nil if it is not stored.
  ///
  /// - Throws: ``ServiceError`` if the bytes cannot be decompressed.
  func stored(_ capture: [UInt8]) throws -> CaptureRecord? {
    try table.record(SHA256Digest(of: reading.decompressed(capture)).id)
  }

  // MARK: - Changes

  /// A capture after an upload.
  struct Addition: Sendable {
    var record: CaptureRecord
    /// This is true if the capture was not stored before.
    var isNew: Bool
  }

  /// Reads and stores a capture. Storing the same bytes again changes nothing, except that it can add a missing screenshot.
  ///
  /// - Throws: ``ServiceError`` with 422 for a broken capture, or 413 if it is too large.
  /// - Complexity: O(bytes + elements · log(elements of all captures)).
  func add(_ upload: CaptureUpload, by person: String) throws -> Addition {
    let read = try reading.read(upload, by: person)
    try upload.screenshot?.check(fits: read.record)
    guard let source = Gzip.compressed(read.bytes) else {
      throw ServiceError.unavailable("There is no memory for this capture.", code: "busy")
    }
    switch try table.insert(
      read.record, source: Data(source), eventIDs: read.eventIDBytes, screenshot: upload.screenshot.map(\.stored))
    {
    case .added(let record):
      changes.add(1, ordering: .releasing)
      return Addition(record: record, isNew: true)
    case .known(let record): return Addition(record: record, isNew: false)
    case .conflict: throw ServiceError.conflict("Another capture has the ID of this one.")
    }
  }

  /// Reads a capture without storing it.
  func resolve(_ upload: CaptureUpload) throws -> CaptureReading.Result { try reading.read(upload, by: nil) }

  /// Removes a capture with its screenshot.
  ///
  /// - Returns: True if the capture was stored.
  func delete(_ id: String, by person: String) throws -> Bool {
    guard Self.isID(id) else { return false }
    let wasStored = try table.delete(id, by: person)
    cache.remove(id)
    changes.add(1, ordering: .releasing)
    return wasStored
  }

  // MARK: - Bytes

  /// Returns the bytes of a capture as they were uploaded, but decompressed; nil if it is not stored.
  func source(_ id: String) throws -> [UInt8]? {
    guard Self.isID(id), let source = try table.source(of: id) else { return nil }
    return try reading.decompressed(Array(source))
  }

  /// Returns the screenshot of a capture; nil if there is none.
  func screenshot(_ id: String) throws -> StoredScreenshot? { Self.isID(id) ? try table.screenshot(of: id) : nil }

  /// Sets or replaces the screenshot of a capture.
  ///
  /// - Returns: The capture; nil if it is not stored.
  /// - Throws: ``ServiceError`` with 422 if the picture has another aspect ratio.
  func setScreenshot(_ screenshot: Screenshot, of id: String, by person: String) throws -> CaptureRecord? {
    guard let record = try record(id) else { return nil }
    try screenshot.check(fits: record)
    return try table.setScreenshot(screenshot.stored, of: id, by: person)
  }

  /// Renames a capture, names the page of one that does not name it, or both.
  ///
  /// - Parameters:
  ///   - name: The new name; nil if it stays.
  ///   - page: The activity of an Android capture, or the address of a web page; nil if it stays. Other captures ignore it.
  /// - Returns: The capture; nil if it is not stored.
  /// - Complexity: O(bytes + elements · log(elements of all captures)) for a page.
  func change(_ id: String, name: String?, page: String?, by person: String) throws -> CaptureRecord? {
    guard Self.isID(id) else { return nil }
    var result: CaptureReading.Result?
    if let page {
      guard let bytes = try source(id) else { return nil }
      var upload = CaptureUpload(capture: bytes)
      upload.page = page
      result = try reading.read(upload, by: person)
    }
    let read = result.map { (record: $0.record, eventIDs: $0.eventIDBytes) }
    guard let record = try table.change(id, name: name, read: read, by: person) else { return nil }
    // The cached capture is removed, because findings contain its name and its page.
    cache.remove(id)
    changesOfStored.add(1, ordering: .releasing)
    changes.add(1, ordering: .releasing)
    return record
  }
}
