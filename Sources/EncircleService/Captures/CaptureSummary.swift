import Foundation

/// What answers say of a capture.
struct CaptureSummary: Encodable, Sendable {
  private let record: CaptureRecord
  private let isStored: Bool

  /// - Parameter isStored: Whether it can be asked for by its ID.
  init(_ record: CaptureRecord, isStored: Bool = true) {
    self.record = record
    self.isStored = isStored
  }

  private enum Key: String, CodingKey {
    case id, name, app, appVersion, os, osVersion, format, page, pages, title, elements, trackable, width, height
    case hasScreenshot, capturedAt, uploadedAt, uploadedBy, lacks, collisions
  }

  func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Key.self)
    try members.encode(record.id, forKey: .id)
    try members.encode(record.name, forKey: .name)
    try members.encode(record.app, forKey: .app)
    try members.encode(record.appVersion, forKey: .appVersion)
    try members.encode(record.os, forKey: .os)
    try members.encode(record.osVersion, forKey: .osVersion)
    try members.encode(record.format, forKey: .format)
    try members.encode(record.page, forKey: .page)
    try members.encode(record.pages, forKey: .pages)
    try members.encode(record.title, forKey: .title)
    try members.encode(record.elements, forKey: .elements)
    try members.encode(record.trackable, forKey: .trackable)
    try members.encode(record.width, forKey: .width)
    try members.encode(record.height, forKey: .height)
    try members.encode(record.hasScreenshot, forKey: .hasScreenshot)
    try members.encode(record.capturedAt, forKey: .capturedAt)
    try members.encode(isStored ? record.uploadedAt : nil, forKey: .uploadedAt)
    try members.encode(isStored ? record.uploadedBy : nil, forKey: .uploadedBy)
    try members.encode(record.lacks, forKey: .lacks)
    try members.encode(record.collisions, forKey: .collisions)
  }
}

/// `{"capture": …}`
struct CaptureAnswer: Encodable, Sendable {
  var capture: CaptureSummary
}

/// `{"captures": […], "total": n}`
struct CaptureListAnswer: Encodable, Sendable {
  var captures: [CaptureSummary]
  /// How many there are, those of other parts included.
  var total: Int
}
