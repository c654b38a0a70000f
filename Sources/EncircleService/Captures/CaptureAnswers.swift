import Foundation

/// A capture in answers, without the columns that only the store needs. Unknown values are null rather than missing.
extension CaptureRecord: Encodable {
  private enum Key: String, CodingKey {
    case id, name, app, appVersion, os, osVersion, format, page, pages, title, elements, trackable, width, height
    case hasScreenshot, capturedAt, uploadedAt, uploadedBy, lacks, collisions
  }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Key.self)
    try members.encode(id, forKey: .id)
    try members.encode(name, forKey: .name)
    try members.encode(app, forKey: .app)
    try members.encode(appVersion, forKey: .appVersion)
    try members.encode(os, forKey: .os)
    try members.encode(osVersion, forKey: .osVersion)
    try members.encode(format, forKey: .format)
    try members.encode(page, forKey: .page)
    try members.encode(pages, forKey: .pages)
    try members.encode(title, forKey: .title)
    try members.encode(elements, forKey: .elements)
    try members.encode(trackable, forKey: .trackable)
    try members.encode(width, forKey: .width)
    try members.encode(height, forKey: .height)
    try members.encode(hasScreenshot, forKey: .hasScreenshot)
    try members.encode(capturedAt, forKey: .capturedAt)
    // A capture that was only resolved is not stored, and has no number.
    try members.encode(number > 0 ? uploadedAt : nil, forKey: .uploadedAt)
    try members.encode(number > 0 ? uploadedBy : nil, forKey: .uploadedBy)
    try members.encode(lacks, forKey: .lacks)
    try members.encode(collisions, forKey: .collisions)
  }
}

/// `{"capture": …}`
struct CaptureAnswer: Encodable, Sendable {
  var capture: CaptureRecord
}

/// `{"captures": […], "total": n}`
struct CaptureListAnswer: Encodable, Sendable {
  var captures: [CaptureRecord]
  /// The number of all captures, including those that are not in this answer.
  var total: Int
}
