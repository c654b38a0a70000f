import EncircleText
import Logging

/// A setting of the service's configuration.
///
/// ``all`` is the one description of all settings. The reader of configuration files, the help and the ranges of options,
/// and `Deploy/encircle-service.yaml` come from it; a test compares `docs/service.md` with it.
public struct Setting: Sendable {
  public typealias Path<Value> = WritableKeyPath<ServiceConfiguration, Value> & Sendable

  /// What a setting may be, and where a configuration has it. Relative paths in a file are relative to the folder of the file.
  enum Kind: Sendable {
    case number(Path<Int>, ClosedRange<Int>)
    case flag(Path<Bool>)
    case text(Path<String>, what: String)
    case directory(Path<String>)
    case file(Path<String?>, what: String)
    case texts(Path<[String]>, what: String, isRight: @Sendable (String) -> Bool)
    case files(Path<[String]>, what: String)
    /// Paths that may have a name in front of them: `NAME=FILE`.
    case namedFiles(Path<[String]>, what: String)
    case logFormat(Path<LogFormat>)
    case logLevel(Path<Logger.Level>)
  }

  /// The group of a configuration file that has the setting; none for those at its root.
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

  /// The values that a number may have; nil for another setting.
  var range: ClosedRange<Int>? {
    if case .number(_, let range) = kind { range } else { nil }
  }

  /// The value in a configuration, as YAML writes it; nil if the setting is an optional file, and no file is set.
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

  /// The setting at a place of a configuration.
  ///
  /// - Precondition: There is one.
  public static func at(_ path: PartialKeyPath<ServiceConfiguration>) -> Setting {
    guard let setting = all.first(where: { $0.path == path }) else { preconditionFailure("no setting is at \(path)") }
    return setting
  }

  /// The values that the number at a place of a configuration may have.
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
  /// A configuration file with every setting, what it is for, and its value in a configuration.
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

  /// The lines of a comment, no longer than 120 bytes.
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
