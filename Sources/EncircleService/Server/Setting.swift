import EncircleText
import Logging

/// A setting of the service's configuration.
///
/// ``all`` is the single description of the settings. The reader of configuration files, the help and the ranges of options,
/// and `Deploy/encircle-service.yaml` are derived from it; a test compares `docs/service.md` with it.
public struct Setting: Sendable {
  public typealias Path<Value> = WritableKeyPath<ServiceConfiguration, Value> & Sendable

  /// The type of a setting, and its place in a configuration. Relative paths in a file are relative to the file's folder.
  enum Kind: Sendable {
    case number(Path<Int>, ClosedRange<Int>)
    case flag(Path<Bool>)
    case text(Path<String>, what: String)
    case directory(Path<String>)
    case file(Path<String?>, what: String)
    case texts(Path<[String]>, what: String, isRight: @Sendable (String) -> Bool)
    case files(Path<[String]>, what: String)
    /// Paths that may be preceded by a name: `NAME=FILE`.
    case namedFiles(Path<[String]>, what: String)
    case logFormat(Path<LogFormat>)
    case logLevel(Path<Logger.Level>)
  }

  /// The group of the setting in configuration files; nil at the root.
  let group: String?
  /// The key in files: `body_bytes`.
  let name: String
  let kind: Kind
  /// Its description, in sentences.
  public let text: String

  init(_ name: String, in group: String? = nil, _ kind: Kind, _ text: String) {
    self.group = group
    self.name = name
    self.kind = kind
    self.text = text
  }

  /// The allowed values of a number; nil for other settings.
  var range: ClosedRange<Int>? {
    if case .number(_, let range) = kind { range } else { nil }
  }

  /// Returns the value in a configuration, as YAML writes it; nil for an optional file that is not set.
  func value(in configuration: ServiceConfiguration) -> String? {
    switch kind {
    case .number(let path, _): "\(configuration[keyPath: path])"
    case .flag(let path): "\(configuration[keyPath: path])"
    case .text(let path, _), .directory(let path): configuration[keyPath: path]
    case .file(let path, _): configuration[keyPath: path]
    case .texts(let path, _, _), .files(let path, _), .namedFiles(let path, _):
      "[\(configuration[keyPath: path].joined(separator: ", "))]"
    case .logFormat(let path): configuration[keyPath: path].rawValue
    case .logLevel(let path): configuration[keyPath: path].rawValue
    }
  }

  /// Returns the setting at a place of a configuration.
  ///
  /// - Precondition: The setting exists.
  public static func at(_ path: PartialKeyPath<ServiceConfiguration>) -> Setting {
    guard let setting = all.first(where: { $0.path == path }) else { preconditionFailure("no setting is at \(path)") }
    return setting
  }

  /// Returns the allowed values of the number at a place of a configuration.
  public static func range(of path: KeyPath<ServiceConfiguration, Int>) -> ClosedRange<Int> {
    guard let range = at(path).range else { preconditionFailure("the setting at \(path) is no number") }
    return range
  }

  private var path: PartialKeyPath<ServiceConfiguration> {
    switch kind {
    case .number(let path, _): path
    case .flag(let path): path
    case .text(let path, _), .directory(let path): path
    case .file(let path, _): path
    case .texts(let path, _, _), .files(let path, _), .namedFiles(let path, _): path
    case .logFormat(let path): path
    case .logLevel(let path): path
    }
  }
}

// MARK: - The example file

extension Setting {
  /// Returns a configuration file with the purpose of every setting and its value in a configuration.
  static func file(_ configuration: ServiceConfiguration) -> String {
    var lines = comment(
      """
      The configuration of `encircle serve --config encircle-service.yaml`. Every key may be left out; the values here are \
      the defaults, except for the directory. Options on the command line override this file. Relative paths are relative \
      to the folder of this file.
      """, indentation: "")
    var group: String?
    for setting in all {
      if setting.group != group || group == nil { lines.append("") }
      if let name = setting.group, name != group { lines.append("\(name):") }
      group = setting.group
      let indentation = group == nil ? "" : "  "
      lines += comment(setting.text, indentation: indentation)
      let value = setting.value(in: configuration)
      lines.append(indentation + (value.map { "\(setting.name): \($0)" } ?? "# \(setting.name):"))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns the lines of a comment, each at most 120 bytes long.
  private static func comment(_ text: String, indentation: String) -> [String] {
    var lines: [String] = []
    var line = indentation + "#"
    for word in text.splitBytes(at: " ") {
      if line.utf8.count + 1 + word.utf8.count > 120 {
        lines.append(line)
        line = indentation + "#"
      }
      line += " " + word
    }
    return lines + [line]
  }
}
