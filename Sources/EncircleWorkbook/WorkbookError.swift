/// The reason why a file cannot be read as a workbook, or a workbook cannot be written.
package struct WorkbookError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of errors.
  package enum Kind: Hashable, Sendable {
    /// The file is not a ZIP archive.
    case noArchive
    /// The file is in the format before XLSX, or has a password.
    case compoundFile
    /// A part is missing.
    case missing
    /// A part is encrypted, packed in another way, or broken.
    case broken
    /// A part has a document type, which could make the XML expand without limit.
    case documentType
    /// A part is no XML.
    case malformed
    /// The unpacked data would exceed the limit, in bytes.
    case tooLarge(limit: Int)
    /// The texts of the cells would exceed the limit, in bytes.
    case tooMuchText(limit: Int)
    /// There are more columns, sheets or parts than the limit.
    case tooMany(String, limit: Int)
    /// A text is longer than a cell of a spreadsheet can be.
    case longCell(limit: Int)
    /// There is not enough memory.
    case noMemory
  }

  package let kind: Kind
  /// The part of the archive, or the place of the cell; empty if it is about all of it.
  package let place: String

  init(_ kind: Kind, _ place: String = "") { (self.kind, self.place) = (kind, place) }

  package var description: String {
    let what =
      switch kind {
      case .noArchive: "this is not a workbook (XLSX), which is a ZIP archive"
      case .compoundFile:
        "this is a workbook in the old format (XLS), or one with a password: save it as XLSX without one"
      case .missing: "this part of the workbook is missing"
      case .broken: "this part of the workbook is encrypted, packed in an unknown way, or broken"
      case .documentType: "a workbook must not have a document type"
      case .malformed: "this part of the workbook is not well-formed XML"
      case .tooLarge(let limit): "unpacked, the workbook would be larger than \(limit) bytes"
      case .tooMuchText(let limit): "the cells of a table may have at most \(limit) bytes of text"
      case .tooMany(let things, let limit): "a workbook may have at most \(limit) \(things)"
      case .longCell(let limit):
        "a cell of a workbook may have at most \(limit) characters: write comma-separated values instead"
      case .noMemory: "there is not enough memory for the workbook"
      }
    return place.isEmpty ? what : "\(place): \(what)"
  }
}
