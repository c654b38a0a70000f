/// The data types of the Language Server Protocol 3.17 that the server uses.
enum LSP {
  /// A place. Lines and characters are counted from 0, characters in the units that client and server have agreed on.
  struct Position: Codable, Hashable, Comparable {
    var line: Int
    var character: Int

    static func < (a: Position, b: Position) -> Bool { (a.line, a.character) < (b.line, b.character) }
  }

  /// The text from one place up to another.
  struct Range: Codable, Hashable {
    var start: Position
    var end: Position
  }

  /// A range in a document.
  struct Location: Codable, Hashable {
    var uri: String
    var range: Range
  }

  /// A replacement of a range.
  struct TextEdit: Codable, Hashable {
    var range: Range
    var newText: String
  }

  /// Edits by document.
  struct WorkspaceEdit: Codable, Hashable {
    var changes: [String: [TextEdit]]
  }

  /// The units in which characters of a line are counted.
  enum PositionEncoding: String, Codable {
    case utf8 = "utf-8"
    case utf16 = "utf-16"
  }

  // MARK: - Start and end

  struct InitializeParams: Decodable {
    struct Capabilities: Decodable {
      struct General: Decodable { let positionEncodings: [String]? }
      struct Dynamic: Decodable { let dynamicRegistration: Bool? }
      struct Workspace: Decodable { let didChangeWatchedFiles: Dynamic? }
      struct TextDocument: Decodable {
        struct Hover: Decodable { let contentFormat: [String]? }
        let hover: Hover?
      }
      let general: General?
      let workspace: Workspace?
      let textDocument: TextDocument?
    }

    struct Folder: Decodable { let uri: String }

    /// The settings that an editor sends in addition to, or instead of, the tool's options. Members of other types are ignored,
    /// because editors send their own options, too.
    struct Options: Decodable {
      var rules: [String]?
      var captures: [String]?
      var dictionary: String?

      private enum Key: String, CodingKey { case rules, captures, dictionary }

      init(from decoder: any Decoder) {
        guard let container = try? decoder.container(keyedBy: Key.self) else { return }
        func texts(_ key: Key) -> [String]? {
          (try? container.decode([String].self, forKey: key))
            ?? (try? container.decode(String.self, forKey: key)).map { [$0] }
        }
        rules = texts(.rules)
        captures = texts(.captures)
        dictionary = try? container.decode(String.self, forKey: .dictionary)
      }
    }

    let capabilities: Capabilities?
    let rootUri: String?
    let rootPath: String?
    let workspaceFolders: [Folder]?
    let initializationOptions: Options?
  }

  struct InitializeResult: Encodable {
    struct Capabilities: Encodable {
      struct Sync: Encodable {
        var openClose = true
        /// 1: every change sends the whole text.
        var change = 1
        var save = true
      }
      struct Completion: Encodable { var triggerCharacters = ["/", "(", ":", "$", "{", "[", "\"", "'", "&"] }
      struct Rename: Encodable { var prepareProvider = true }
      struct CodeLensOptions: Encodable { var resolveProvider = false }
      struct CodeAction: Encodable { var codeActionKinds = ["quickfix"] }

      var positionEncoding: PositionEncoding
      var textDocumentSync = Sync()
      var completionProvider = Completion()
      var hoverProvider = true
      var renameProvider = Rename()
      var documentFormattingProvider = true
      var codeActionProvider = CodeAction()
      var definitionProvider = true
      var referencesProvider = true
      var documentSymbolProvider = true
      var workspaceSymbolProvider = true
      var codeLensProvider = CodeLensOptions()
    }

    struct Info: Encodable {
      var name = "encircle"
    }

    let capabilities: Capabilities
    var serverInfo = Info()
  }

  struct RegistrationParams: Encodable {
    struct Registration: Encodable {
      struct Options: Encodable {
        struct Watcher: Encodable { let globPattern: String }
        let watchers: [Watcher]
      }
      let id: String
      let method: String
      let registerOptions: Options
    }
    let registrations: [Registration]
  }

  // MARK: - Documents

  struct DocumentID: Decodable { let uri: String }

  struct DidOpenParams: Decodable {
    struct Item: Decodable {
      let uri: String
      let version: Int?
      let text: String
    }
    let textDocument: Item
  }

  struct DidChangeParams: Decodable {
    struct Document: Decodable {
      let uri: String
      let version: Int?
    }
    struct Change: Decodable {
      let range: Range?
      let text: String
    }
    let textDocument: Document
    let contentChanges: [Change]
  }

  /// The parameters of requests about a whole document.
  struct DocumentParams: Decodable { let textDocument: DocumentID }

  /// The parameters of requests about a place.
  struct PositionParams: Decodable {
    let textDocument: DocumentID
    let position: Position
  }

  // MARK: - Diagnostics

  struct Diagnostic: Codable, Hashable {
    enum Severity: Int, Codable { case error = 1, warning, information, hint }

    struct Related: Codable, Hashable {
      var location: Location
      var message: String
    }

    var range: Range
    var severity: Severity
    var code: String?
    var source = "encircle"
    var message: String
    var relatedInformation: [Related]?
  }

  struct PublishParams: Encodable {
    let uri: String
    let version: Int?
    let diagnostics: [Diagnostic]
  }

  struct MessageParams: Encodable {
    /// 1 for an error, 2 for a warning, 3 for information, 4 for a log entry.
    let type: Int
    let message: String
  }

  // MARK: - Features

  struct CompletionItem: Encodable {
    enum Kind: Int, Encodable {
      case field = 5
      case `class` = 7
      case module = 9
      case property = 10
      case value = 12
      case `enum` = 13
      case keyword = 14
      case reference = 18
      case event = 23
    }

    var label: String
    var kind: Kind
    var detail: String?
    var sortText: String?
    var filterText: String?
    var textEdit: TextEdit?
  }

  struct CompletionList: Encodable {
    var isIncomplete: Bool
    var items: [CompletionItem]
  }

  struct Hover: Encodable {
    struct Content: Encodable {
      let kind: String
      let value: String
    }
    let contents: Content
    let range: Range
  }

  struct RenameParams: Decodable {
    let textDocument: DocumentID
    let position: Position
    let newName: String
  }

  /// The parameters of a search for references.
  struct ReferenceParams: Decodable {
    struct Context: Decodable { let includeDeclaration: Bool? }
    let textDocument: DocumentID
    let position: Position
    let context: Context?

    /// The place of the name whose references are requested.
    var place: PositionParams { PositionParams(textDocument: textDocument, position: position) }
  }

  /// The kinds of symbols, as editors show them.
  enum SymbolKind: Int, Encodable {
    case method = 6
    case event = 24
  }

  struct DocumentSymbol: Encodable {
    let name: String
    let detail: String?
    let kind: SymbolKind
    let range: Range
    let selectionRange: Range
  }

  struct WorkspaceSymbolParams: Decodable { let query: String }

  struct WorkspaceSymbol: Encodable {
    let name: String
    let kind: SymbolKind
    let location: Location
    let containerName: String?
  }

  struct CodeLens: Encodable {
    struct Command: Encodable {
      let title: String
      let command: String
    }
    let range: Range
    let command: Command
  }

  struct PrepareRenameResult: Encodable {
    let range: Range
    let placeholder: String
  }

  struct CodeActionParams: Decodable {
    struct Context: Decodable { let only: [String]? }
    let textDocument: DocumentID
    let range: Range
    let context: Context?
  }

  struct CodeAction: Encodable {
    let title: String
    var kind = "quickfix"
    let diagnostics: [Diagnostic]
    /// This is true if no other correction is plausible.
    var isPreferred = true
    let edit: WorkspaceEdit
  }
}
