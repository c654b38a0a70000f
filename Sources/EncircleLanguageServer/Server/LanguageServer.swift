import EncircleInput
import EncircleRuleFiles
import EncircleText
import Foundation

/// The settings of a language server.
public struct LanguageServerOptions: Sendable {
  /// The rule files and directories; if empty, the rules in the workspace's folders are used.
  public var rules: [String]
  /// The captures and the dictionary that contain the elements of rules.
  public var screens: ScreenSource
  /// The folder from which paths are resolved if the client does not name one.
  public var workingDirectory: String
  /// Returns the defaults of the workspace's folder. They apply if neither these options nor the client name files.
  public var defaults: @Sendable (_ folder: String) -> Defaults

  public init(
    rules: [String] = [], screens: ScreenSource = ScreenSource(), workingDirectory: String,
    defaults: @escaping @Sendable (_ folder: String) -> Defaults = { _ in Defaults() }
  ) {
    self.rules = rules
    self.screens = screens
    self.workingDirectory = workingDirectory
    self.defaults = defaults
  }

  /// The files that a project uses if no options name files.
  public struct Defaults: Sendable {
    /// The rule files and directories.
    public var rules: [String]
    /// The files and directories with captures.
    public var captures: [String]
    /// The dictionary file.
    public var dictionary: String?
    /// The reason why the defaults could not be read, which is shown to the user.
    public var problem: String?

    public init(rules: [String] = [], captures: [String] = [], dictionary: String? = nil, problem: String? = nil) {
      self.rules = rules
      self.captures = captures
      self.dictionary = dictionary
      self.problem = problem
    }
  }
}

/// A language server for rule files: messages in, messages out. ``LanguageServerSession`` connects it to streams and threads.
package final class LanguageServer {
  enum State: Equatable {
    case waiting, running, shutDown
    case ended(Int32)
  }

  /// The pause in typing after which rules are checked.
  static let pause = Duration.milliseconds(300)
  /// The maximum number of open documents.
  package static let maximumDocuments = 1_000
  /// The maximum total number of bytes in open documents.
  package static let maximumDocumentBytes = 256 << 20

  var options: LanguageServerOptions
  var state = State.waiting
  var encoding = LSP.PositionEncoding.utf16
  var writesMarkdown = true
  var documents: [UTF8String: OpenDocument] = [:]
  var projects: [RuleProject] = []
  var known = KnownScreens()
  private var screenFiles = ScreenFiles()
  private var needsScreens = false
  private var isWorking = false
  private var lastChange = ContinuousClock.now
  private var published: [UTF8String: [LSP.Diagnostic]] = [:]
  private var outgoing: [[UInt8]] = []
  private var nextRequest = 1
  private var nextProject = 0
  private var canWatchFiles = false

  package init(_ options: LanguageServerOptions) { self.options = options }

  /// The exit status, once the client has asked the server to end.
  package var exitStatus: Int32? { if case .ended(let status) = state { status } else { nil } }

  /// Returns and removes the messages to send.
  package func takeOutput() -> [[UInt8]] {
    defer { outgoing = [] }
    return outgoing
  }

  // MARK: - Messages

  /// Handles a message of the client.
  ///
  /// - Parameter isCancelled: True if the client has cancelled the request in the meantime.
  package func receive(_ message: [UInt8], isCancelled: Bool = false) {
    guard let envelope = Envelope(message) else {
      let isJSON = Envelope.isJSON(message)
      return send(
        OutgoingMessage.failure(
          nil,
          isJSON
            ? ResponseError(.invalidRequest, "the message is not a JSON-RPC request, notification or response")
            : ResponseError(.parseError, "the message is not valid JSON")))
    }
    guard let method = envelope.method else {
      // The client answers one of the server's requests; the server uses no answers.
      if envelope.id == nil { fail(nil, ResponseError(.invalidRequest, "the message has neither a method nor an id")) }
      return
    }
    guard let id = envelope.id else { return notify(method, message) }
    if isCancelled { return fail(id, ResponseError(.requestCancelled, "the request was cancelled")) }
    switch (state, method) {
    case (.waiting, "initialize"): answer(id, message) { initialize($0) }
    case (.waiting, _): fail(id, ResponseError(.serverNotInitialized, "the first request must be 'initialize'"))
    case (.shutDown, _), (.ended, _):
      fail(id, ResponseError(.invalidRequest, "the server has been shut down"))
    case (.running, "initialize"): fail(id, ResponseError(.invalidRequest, "the server is initialized already"))
    case (.running, "shutdown"):
      state = .shutDown
      send(OutgoingMessage.response(id, String?.none))
    case (.running, _): request(id, method, message)
    }
  }

  /// Reports a message that could not be read.
  package func reject(_ problem: String) { fail(nil, ResponseError(.invalidRequest, problem)) }

  private func request(_ id: RequestID, _ method: String, _ message: [UInt8]) {
    switch method {
    case "textDocument/completion": answer(id, message) { complete($0) }
    case "textDocument/hover": answer(id, message) { hover($0) }
    case "textDocument/prepareRename": answer(id, message) { prepareRename($0) }
    case "textDocument/rename":
      answer(id, message) { (params: LSP.RenameParams) throws(ResponseError) in try rename(params) }
    case "textDocument/formatting": answer(id, message) { format($0) }
    case "textDocument/codeAction": answer(id, message) { codeActions($0) }
    case "textDocument/definition": answer(id, message) { definition($0) }
    case "textDocument/references": answer(id, message) { references($0) }
    case "textDocument/documentSymbol": answer(id, message) { documentSymbols($0) }
    case "workspace/symbol": answer(id, message) { workspaceSymbols($0) }
    case "textDocument/codeLens": answer(id, message) { codeLenses($0) }
    default: fail(id, ResponseError(.methodNotFound, "there is no request '\(VisibleText.shortened(method))'"))
    }
  }

  private func notify(_ method: String, _ message: [UInt8]) {
    if method == "exit" {
      state = .ended(state == .shutDown ? 0 : 1)
      return
    }
    guard state == .running else { return }
    switch method {
    case "initialized": watchFiles()
    case "textDocument/didOpen": take(message) { didOpen($0) }
    case "textDocument/didChange": take(message) { didChange($0) }
    case "textDocument/didClose": take(message) { didClose($0) }
    case "textDocument/didSave", "workspace/didChangeWatchedFiles": filesChanged()
    default: break
    }
  }

  private func answer<Value: Decodable, Result: Encodable>(
    _ id: RequestID, _ message: [UInt8], _ body: (Value) throws(ResponseError) -> Result?
  ) {
    guard let params = Self.params(of: message, Value.self) else {
      return fail(id, ResponseError(.invalidParams, "the parameters do not fit the request"))
    }
    do throws(ResponseError) {
      send(OutgoingMessage.response(id, try body(params)))
    } catch {
      fail(id, error)
    }
  }

  private func take<Value: Decodable>(_ message: [UInt8], _ body: (Value) -> Void) {
    guard let params = Self.params(of: message, Value.self) else { return log("a notification has wrong parameters") }
    body(params)
  }

  private static func params<Value: Decodable>(of message: [UInt8], _: Value.Type) -> Value? {
    (try? JSONDecoder().decode(Parameters<Value>.self, from: Data(message)))?.params
  }

  private func send(_ message: [UInt8]) { outgoing.append(message) }

  private func fail(_ id: RequestID?, _ error: ResponseError) { send(OutgoingMessage.failure(id, error)) }

  /// Writes a line into the client's log.
  func log(_ text: String) {
    send(OutgoingMessage.notification("window/logMessage", LSP.MessageParams(type: 4, message: text)))
  }

  /// Shows a warning to the user.
  private func warn(_ text: String) {
    send(OutgoingMessage.notification("window/showMessage", LSP.MessageParams(type: 2, message: text)))
  }

  // MARK: - Start

  private func initialize(_ params: LSP.InitializeParams) -> LSP.InitializeResult? {
    state = .running
    let offered = params.capabilities?.general?.positionEncodings ?? []
    encoding = offered.contains(LSP.PositionEncoding.utf8.rawValue) ? .utf8 : .utf16
    if let formats = params.capabilities?.textDocument?.hover?.contentFormat {
      writesMarkdown = formats.contains("markdown")
    }
    canWatchFiles = params.capabilities?.workspace?.didChangeWatchedFiles?.dynamicRegistration ?? false
    var folders = (params.workspaceFolders ?? []).compactMap { FileURI.path($0.uri) }
    if folders.isEmpty { folders = [params.rootUri.flatMap { FileURI.path($0) } ?? params.rootPath].compactMap { $0 } }
    folders = folders.map { FileList.absolute($0, from: options.workingDirectory) }
    let base = folders.first ?? options.workingDirectory
    let own = params.initializationOptions
    let defaults = options.defaults(base)
    if let problem = defaults.problem { warn("Encircle: \(problem)") }
    func paths(_ named: [String], or defaults: [String]) -> [String] {
      (named.isEmpty ? defaults : named).map { FileList.absolute($0, from: base) }
    }
    options.rules = paths(options.rules + (own?.rules ?? []), or: defaults.rules)
    options.screens.captures = paths(options.screens.captures + (own?.captures ?? []), or: defaults.captures)
    options.screens.dictionary = (options.screens.dictionary ?? own?.dictionary ?? defaults.dictionary).map {
      FileList.absolute($0, from: base)
    }
    if !options.rules.isEmpty {
      addProject(options.rules, takesAll: true)
    } else {
      // A folder inside another one belongs to the rule set of the outer one, unless that leaves it out, as hidden and linked ones.
      for folder in folders where !folders.contains(where: { FileList.reaches(folder, from: $0) }) {
        guard !projects.contains(where: { $0.roots.contains { $0.hasSameBytes(as: folder) } }) else { continue }
        addProject([folder], takesAll: false)
      }
    }
    needsScreens = !options.screens.isEmpty
    return LSP.InitializeResult(capabilities: .init(positionEncoding: encoding))
  }

  private func addProject(_ roots: [String], takesAll: Bool) {
    projects.append(RuleProject(nextProject, roots: roots, takesAll: takesAll))
    nextProject += 1
  }

  private func watchFiles() {
    guard canWatchFiles else { return }
    let patterns = ["**/*.{yaml,yml,json}"] + options.screens.captures.map { "\($0){,/**}" }
    let registration = LSP.RegistrationParams.Registration(
      id: "files", method: "workspace/didChangeWatchedFiles",
      registerOptions: .init(watchers: patterns.map { .init(globPattern: $0) }))
    send(
      OutgoingMessage.request(
        .number(nextRequest), "client/registerCapability", LSP.RegistrationParams(registrations: [registration])))
    nextRequest += 1
  }

  // MARK: - Documents

  private func didOpen(_ params: LSP.DidOpenParams) {
    let item = params.textDocument
    // If a directory were opened, all files below it would be read as rules.
    guard let path = FileURI.path(item.uri), !FileDescriptor.isDirectory(path) else {
      return log("only files can be opened: \(VisibleText.shortened(item.uri))")
    }
    let key = UTF8String(FileList.absolute(path, from: "/"))
    guard documents[key] != nil || documents.count < Self.maximumDocuments, fits(item.text, as: key) else {
      return warn(
        "Encircle: \(VisibleText.shortened(item.uri)) is left out: at most \(Self.maximumDocuments) documents, and "
          + "\(Self.maximumDocumentBytes) bytes of them together, may be open")
    }
    documents[key] = OpenDocument(uri: item.uri, version: item.version, text: DocumentText(item.text))
    if !projects.contains(where: { $0.covers(key.text) }) {
      // A file outside of the workspace is a separate rule set, with the files beside it.
      let kinds: [RuleDirectory.Companion] = [.tests, .plan]
      let rules = kinds.flatMap { RuleDirectory.rules(beside: key.text, as: $0) }
      addProject(rules.isEmpty ? [key.text] : rules, takesAll: false)
    }
    published[key] = nil
    for project in projects where project.covers(key.text) { project.needsListing = true }
    lastChange = .now
  }

  private func didChange(_ params: LSP.DidChangeParams) {
    guard let (key, _) = document(params.textDocument.uri) else { return }
    guard let change = params.contentChanges.last else { return }
    guard change.range == nil, fits(change.text, as: key) else {
      return log(
        change.range == nil
          ? "a text is ignored: all documents together may have at most \(Self.maximumDocumentBytes) bytes"
          : "a partial change was sent, but the server accepts only whole texts")
    }
    documents[key]?.text = DocumentText(change.text)
    documents[key]?.version = params.textDocument.version
    for project in projects where project.covers(key.text) {
      // A file that did not look like rules before the change may do so now.
      if project.contains(key.text) { project.needsLoad = true } else { project.needsListing = true }
    }
    lastChange = .now
  }

  private func didClose(_ params: LSP.DocumentParams) {
    guard let (key, _) = document(params.textDocument.uri) else { return }
    documents[key] = nil
    for project in projects where project.covers(key.text) { project.needsListing = true }
    // The rules of the options stay a project, even if they are a single file.
    if let i = projects.firstIndex(where: { project in
      !project.takesAll && project.covers(key.text) && project.roots.allSatisfy { RuleDirectory.stem(of: $0) != nil }
        && !documents.keys.contains { project.covers($0.text) }
    }) {
      let project = projects.remove(at: i)
      var cleared: [UTF8String: [LSP.Diagnostic]] = [:]
      for path in published.keys where project.covers(path.text) { cleared[path] = [] }
      publish(cleared)
    }
    lastChange = .now
  }

  private func filesChanged() {
    for project in projects { project.needsListing = true }
    if !options.screens.isEmpty, screenFiles.hasChanged(options.screens) { needsScreens = true }
    lastChange = .now
  }

  private func fits(_ text: String, as key: UTF8String) -> Bool {
    var bytes = text.utf8.count
    for (other, document) in documents where other != key { bytes += document.text.bytes.count }
    return bytes <= Self.maximumDocumentBytes
  }

  /// Returns an open document with its path.
  func document(_ uri: String) -> (path: UTF8String, OpenDocument)? {
    guard let path = FileURI.path(uri) else { return nil }
    let key = UTF8String(FileList.absolute(path, from: "/"))
    return documents[key].map { (key, $0) }
  }

  /// Returns the project of a file.
  func project(of path: UTF8String) -> RuleProject? {
    // A request may arrive before the files are known, usually just after a document was opened.
    for project in projects where project.needsListing && project.covers(path.text) { project.list(documents) }
    return projects.first { $0.contains(path.text) } ?? projects.first { $0.covers(path.text) }
  }

  /// Returns a file's URI, in the client's spelling if the file is open.
  func uri(of path: String) -> String { documents[UTF8String(path)]?.uri ?? FileURI.uri(path) }

  // MARK: - Diagnostics

  /// This is true if rules have changed since they were loaded.
  package var needsRefresh: Bool {
    state == .running && projects.contains { $0.needsListing || $0.needsLoad }
  }

  /// Loads the rules that have changed, and publishes their problems.
  package func refresh() {
    for project in projects {
      if project.needsListing { project.list(documents) }
      guard project.needsLoad else { continue }
      let hadProblems = !project.problems.isEmpty
      project.load(documents)
      // Until the next check, the findings of the last one move with the text if the client supports that.
      if hadProblems || !project.problems.isEmpty { publish(project) }
    }
    let settings = projects.lazy.compactMap(\.rules).first.map { KnownScreens.Settings($0.ruleSet) }
    if let settings, settings != known.settings, !options.screens.isEmpty { needsScreens = true }
  }

  /// The time at which the next work is due; nil if there is none, or if work is in progress.
  package var workTime: ContinuousClock.Instant? {
    guard state == .running, !isWorking else { return nil }
    if needsScreens { return lastChange }
    return projects.contains { $0.needsCheck } ? lastChange + Self.pause : nil
  }

  /// Returns the next work to do; pass its result to ``finish(_:)``.
  func startWork() -> Work? {
    guard state == .running, !isWorking else { return nil }
    if needsScreens {
      needsScreens = false
      isWorking = true
      let settings = projects.lazy.compactMap(\.rules).first.map { KnownScreens.Settings($0.ruleSet) }
      return Work(task: .readScreens(screenFiles, options.screens, settings ?? known.settings))
    }
    guard let i = projects.firstIndex(where: \.needsCheck), let rules = projects[i].rules else { return nil }
    projects[i].needsCheck = false
    isWorking = true
    return Work(
      task: .check(
        Work.Check(
          project: projects[i].number, generation: projects[i].generation, rules: rules, known: known,
          tests: projects[i].texts(of: projects[i].testFiles, documents),
          plan: projects[i].texts(of: projects[i].planFiles, documents), reader: options.screens.reader,
          now: Int64(Date().timeIntervalSince1970 * 1000))))
  }

  /// Applies the result of finished work.
  func finish(_ result: Work.Result) {
    isWorking = false
    switch result {
    case .screens(let files, let screens):
      let old = screenFiles.problems
      screenFiles = files
      known = screens
      if !files.problems.isEmpty, files.problems != old {
        warn("Encircle: not all captures could be read:\n" + files.problems.prefix(5).joined(separator: "\n"))
      }
      for project in projects { project.checkAgain() }
    case .findings(let number, let generation, let findings, let problems):
      guard let project = projects.first(where: { $0.number == number }), project.generation == generation else {
        return
      }
      project.accept(findings, problems)
      publish(project)
    }
  }

  /// Does all pending work immediately, in this thread.
  package func settle() {
    while true {
      if needsRefresh { refresh() }
      guard let work = startWork() else { return }
      finish(work.run())
    }
  }

  /// Sends the diagnostics of a project's files that have changed.
  private func publish(_ project: RuleProject) {
    var byFile = DiagnosticConversion(self, project).diagnostics()
    for path in published.keys where project.covers(path.text) && byFile[path] == nil { byFile[path] = [] }
    // Documents without findings are published, too, so that the client knows that they have been checked.
    for path in documents.keys where project.contains(path.text) && byFile[path] == nil { byFile[path] = [] }
    publish(byFile)
  }

  private func publish(_ byFile: [UTF8String: [LSP.Diagnostic]]) {
    for (path, diagnostics) in byFile.sorted(by: { $0.key < $1.key }) {
      let old = published[path]
      guard old != diagnostics, old != nil || !diagnostics.isEmpty || documents[path] != nil else { continue }
      published[path] = diagnostics.isEmpty && documents[path] == nil ? nil : diagnostics
      send(
        OutgoingMessage.notification(
          "textDocument/publishDiagnostics",
          LSP.PublishParams(
            uri: uri(of: path.text), version: documents[path]?.version, diagnostics: diagnostics)))
    }
  }
}
