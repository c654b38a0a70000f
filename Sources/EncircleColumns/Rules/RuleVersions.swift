import EncircleIdentity
import EncircleInput
import EncircleRules
import EncircleText

/// The compiled rules in a folder, by version: `NAME.rules` is the version `NAME`.
///
/// A version is loaded when a row first names it, and not again while it is in memory, because the rules of a version never change. A
/// missing or damaged file is tried again after a while, so that a new or only now completed file is found without a restart.
final class RuleVersions {
  /// The largest file, in bytes.
  static let fileLimit = 1 << 30
  /// The longest name of a version, in bytes.
  static let nameLimit = 128

  // The maximum number of names of unreadable files that are kept.
  private static let maximumFailures = 256

  private let folder: String
  private let columns: [EventColumn]
  private let capacity: Int
  private let retryInterval: Duration
  private let dictionary: (CompiledRules) throws -> ElementDictionary
  private var loaded: [UTF8String: RowDecider] = [:]
  private var failures: [UTF8String: (problem: RowProblem, time: ContinuousClock.Instant)] = [:]
  // The names of the loaded versions, in the order of their last use.
  private var recent: [UTF8String] = []
  // The entry of the row before, as most rows ask for the same version.
  private var lastName: [UInt8] = []
  private var lastDecider: RowDecider?

  /// - Parameters:
  ///   - folder: The path of the folder.
  ///   - capacity: The maximum number of versions in memory; the least recently used one makes room.
  ///   - retryInterval: The time before an unreadable file is tried again.
  ///   - dictionary: Returns the elements known by event ID, in the style of the rules.
  init(
    folder: String, columns: [EventColumn], capacity: Int, retryInterval: Duration = .seconds(1),
    dictionary: @escaping (CompiledRules) throws -> ElementDictionary = { _ in ElementDictionary() }
  ) {
    precondition(capacity > 0)
    self.folder = folder
    self.columns = columns
    self.capacity = capacity
    self.retryInterval = retryInterval
    self.dictionary = dictionary
  }

  /// Returns the decider for a version of the rules, or the reason why there is none.
  func decider(of version: UnsafeBufferPointer<UInt8>) -> Result<RowDecider, RowProblem> {
    if let lastDecider, lastName.count == version.count, lastName.elementsEqual(version) {
      return .success(lastDecider)
    }
    let result = find(version)
    if case .success(let decider) = result {
      lastName = Array(version)
      lastDecider = decider
    }
    return result
  }

  private func find(_ version: UnsafeBufferPointer<UInt8>) -> Result<RowDecider, RowProblem> {
    guard let name = Self.name(version) else {
      return .failure(
        RowProblem(
          "rules_version: expected a name of letters, digits, '.', '_', '-' and '@', of at most \(Self.nameLimit) bytes"
        ))
    }
    let key = UTF8String(name)
    if let decider = loaded[key] {
      touch(key)
      return .success(decider)
    }
    if let (problem, time) = failures[key], ContinuousClock.now - time < retryInterval { return .failure(problem) }
    do throws(RowProblem) {
      let decider = RowDecider(try load(name), columns)
      failures[key] = nil
      loaded[key] = decider
      touch(key)
      return .success(decider)
    } catch {
      if failures.count >= Self.maximumFailures { failures.removeAll() }
      failures[key] = (error, .now)
      return .failure(error)
    }
  }

  /// Marks a version as most recently used, and evicts the least recently used one if there are too many.
  private func touch(_ name: UTF8String) {
    recent.removeAll { $0 == name }
    recent.append(name)
    if recent.count > capacity { loaded[recent.removeFirst()] = nil }
  }

  private func load(_ name: String) throws(RowProblem) -> Matcher {
    let path = FilePath.joining(folder, name + ".rules")
    do {
      var source = try ByteSource(path: path)
      let compiled = try CompiledRules(&source, limit: Self.fileLimit)
      return try Matcher(compiled: compiled, dictionary: try dictionary(compiled))
    } catch InputError.noSuchFile {
      throw RowProblem("rules_version \(name): there is no file \(path)")
    } catch {
      throw RowProblem("rules_version \(name): \(path): \(error)")
    }
  }

  /// Returns the name of a version; nil if it is too long or might leave the folder. The service and collectors call versions
  /// `default@3`.
  private static func name(_ version: UnsafeBufferPointer<UInt8>) -> String? {
    guard let first = version.first, first != UInt8(ascii: "."), version.count <= nameLimit else { return nil }
    guard version.allSatisfy({ isFilenameByte($0) || $0 == UInt8(ascii: "@") }) else { return nil }
    return String(decoding: version, as: UTF8.self)
  }
}

/// The reason why a row is not decided.
struct RowProblem: Error {
  let message: String

  init(_ message: String) { self.message = message }
}
