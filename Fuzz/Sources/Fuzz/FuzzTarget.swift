import Foundation

/// The reader that libFuzzer calls with its inputs.
///
/// All targets are in one program, since each program would hold the whole library. The environment selects one of them: libFuzzer
/// runs the program again, with its own arguments, when it minimizes an input.
@main
enum FuzzTarget: String, CaseIterable {
  /// Any bytes: detection, compression and encodings.
  case capture = "FuzzCapture"
  /// View-tree XML.
  case viewTree = "FuzzViewTree"
  /// Page sources of WebDriverAgent, Appium for iOS and UIAutomation.
  case webDriverAgent = "FuzzWebDriverAgent"
  /// Dumps of uiautomator and page sources of Appium UiAutomator2.
  case uiautomator = "FuzzUIAutomator"
  /// Text of UIKit's recursiveDescription.
  case recursiveDescription = "FuzzRecursiveDescription"
  /// Element paths.
  case path = "FuzzPath"
  /// Paths in the other SDKs' styles.
  case style = "FuzzStyle"
  case selector = "FuzzSelector"
  /// Rule files, with matching and explaining by them.
  case rules = "FuzzRules"
  /// Changed compiled rules with a correct checksum, and their decisions.
  case compiledRules = "FuzzCompiledRules"
  /// Files of tests beside rules, which are run, and whose expectations are replaced.
  case ruleTests = "FuzzRuleTests"
  /// Events in lines, documents and gzip, and the decisions of a rule set about them.
  case events = "FuzzEvents"
  /// Changed dictionary files: SQLite, and the stored form of elements and captures.
  case dictionary = "FuzzDictionary"
  /// Streams of messages to the language server, and documents with requests at every place.
  case languageServer = "FuzzLanguageServer"
  /// Recorded sessions, replayed with the model of each SDK.
  case sessions = "FuzzSessions"
  /// The requests that SDKs post: forms, queries and JSON, also compressed, and the events in them.
  case collect = "FuzzCollect"
  /// Messages of an app that is being circled: the envelope, the screen in it, and its picture.
  case visualized = "FuzzVisualized"
  /// Rows that an engine passes to `encircle udf`.
  case rows = "FuzzRows"
  /// The functions of the C library, with columns, events and rules that programs pass to it.
  case columns = "FuzzColumns"

  private static let selected = ProcessInfo.processInfo.environment["FUZZ_TARGET"].flatMap(FuzzTarget.init)

  static func main() {
    guard selected != nil else {
      print("Set FUZZ_TARGET to one of:", allCases.map(\.rawValue).joined(separator: " "))
      exit(64)
    }
    runLibFuzzer { start, count in
      FuzzTarget.selected?.run(Array(UnsafeBufferPointer(start: start, count: count))) ?? 0
    }
  }

  private func run(_ input: [UInt8]) -> CInt {
    switch self {
    case .capture: readCapture(input, as: nil)
    case .viewTree: readCapture(input, as: .viewTree)
    case .webDriverAgent: readCapture(input, as: .webDriverAgent)
    case .uiautomator: readCapture(input, as: .uiautomator)
    case .recursiveDescription: readCapture(input, as: .recursiveDescription)
    case .path: readPath(input)
    case .style: readStyles(input)
    case .selector: readSelector(input)
    case .rules: readRules(input)
    case .compiledRules: readCompiledRules(input)
    case .ruleTests: readRuleTests(input)
    case .events: readEvents(input)
    case .dictionary: readDictionary(input)
    case .languageServer: serve(input)
    case .sessions: readSession(input)
    case .collect: readCollected(input)
    case .visualized: readMessage(input)
    case .rows: readRows(input)
    case .columns: callLibrary(input)
    }
  }
}
