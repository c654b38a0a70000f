import EncircleCapture
import EncircleIdentity
import EncircleText
import EncircleTree

/// Reads captures one by one, and reports those that cannot be read on standard error.
struct CaptureSource {
  private let list: CaptureList
  private let reader: CaptureReader
  private let identity: IdentityOptions
  /// This is true if files that are not captures are named on standard error.
  var namesSkippedFiles = true
  /// The progress line that shows how many captures have been read.
  var progress: Progress?
  /// The exit status for the problems so far.
  private(set) var status = ExitStatus.done

  /// - Parameter identity: The parts of the elements' identities.
  init(paths: [String], _ formats: InputFormatOptions, identity: IdentityOptions = IdentityOptions()) {
    self.identity = identity
    let result = Result { () throws(CaptureError) in try formats.reader() }
    switch result {
    case .success(let found):
      reader = found
      list = CaptureList(paths)
    case .failure(let error):
      // Without the controllers, the identities would differ.
      reader = CaptureReader()
      list = CaptureList([])
      printErrors(error.description)
      note(error)
    }
    for failure in list.failures {
      printError("\(failure.path): error: \(failure.reason)")
      status = .inputOutput
    }
  }

  /// Calls `body` with every capture that can be read, in order.
  mutating func forEach(_ body: (_ name: String, IdentifiedTree) throws -> Void) throws {
    try forEach(prepared: { $0 }, body)
  }

  /// Calls `body` with the result of `prepare` for every capture that can be read, in order.
  ///
  /// - Parameter prepare: A function that is called on the thread that reads captures ahead.
  mutating func forEach<Prepared: Sendable>(
    prepared prepare: @escaping @Sendable (IdentifiedTree) -> Prepared,
    _ body: (_ name: String, Prepared) throws -> Void
  ) throws {
    var skipped: [String] = []
    var hasRead = false
    for path in list.empty { printError("note: the directory \(path) has no files, and so no captures") }
    let read: @Sendable (String) -> Result<Prepared, CaptureError> = { [reader, identity] path in
      Result { () throws(CaptureError) in
        prepare(IdentifiedTree(try reader.read(contentsOf: path), options: identity))
      }
    }
    // Standard input is not read ahead: a command that ends early would wait for the current read, which may block.
    let paths = list.files.map(\.path)
    let ahead = paths.count > 1 && !paths.contains("-") ? ReadAhead(paths, read) : nil
    defer { ahead?.end() }
    for (number, file) in list.files.enumerated() {
      progress?.report("read \(number) of \(list.files.count) captures")
      let name = EventInput.name(of: file.path)
      switch ahead?.next() ?? read(file.path) {
      case .success(let prepared):
        hasRead = true
        try body(name, prepared)
      case .failure(let error):
        if file.isFound, error.isOfOtherFile, !CaptureList.isNamedLikeCapture(name) {
          skipped.append(name)
        } else {
          printErrors(error.description)
          note(error)
        }
      }
    }
    // Other files beside captures are common, but if there are only other files, a path is probably wrong.
    if !skipped.isEmpty, !hasRead, namesSkippedFiles {
      let kind = skipped.count == 1 ? "file that is not a capture" : "files that are not captures"
      printError("note: skipped \(skipped.count) \(kind): \(NameList.shortened(skipped, atMost: 5))")
    }
  }

  /// Ends the command unless all captures could be read, for commands whose results would be wrong without them.
  func requireAll() throws {
    if status != .done { printError("not all captures could be read: nothing was done") }
    try status.exit()
  }

  private mutating func note(_ error: CaptureError) { status = status.joined(with: ExitStatus(error)) }
}
