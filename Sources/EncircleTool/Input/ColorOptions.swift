import ArgumentParser
import EncircleText

/// The conditions under which output is coloured.
enum ColorMode: String, CaseIterable, ExpressibleByArgument {
  /// On a terminal, unless `NO_COLOR` is set (https://no-color.org).
  case auto
  case always, never
}

/// The argument for colours.
struct ColorOptions: ParsableArguments {
  @Option(help: "When to colour text for people; auto: on a terminal, unless NO_COLOR is set.")
  var color = ColorMode.auto

  /// This is true if standard output is coloured.
  var isColored: Bool {
    switch color {
    case .auto: Terminal.hasColor
    case .always: true
    case .never: false
    }
  }
}

/// Colours for terminals.
enum Color: String {
  case red = "31"
  case green = "32"
  case yellow = "33"
  case cyan = "36"
  case bold = "1"

  /// Returns a text in this colour. The text must be escaped.
  func paint(_ text: String) -> String { "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }

  /// Returns diagnostics with coloured severities. The text must be escaped.
  static func paintSeverities(in text: String) -> String {
    text.splitBytes(at: "\n", omittingEmptySubsequences: false).map { line in
      for (word, color) in [(": error: ", red), (": warning: ", yellow), (": note: ", cyan)] {
        // Quoted lines of the file begin with their number and a bar.
        guard line.first != " ", let range = line.firstRange(of: word) else { continue }
        return line[..<range.lowerBound] + ": " + color.paint(String(word.dropFirst(2).dropLast(2))) + ": "
          + line[range.upperBound...]
      }
      return String(line)
    }.joined(separator: "\n")
  }

  /// Returns lines with each mark ✓ and ✗ at their beginning in green and red. The text must be escaped.
  static func paintMarks(in text: String) -> String {
    text.splitBytes(at: "\n", omittingEmptySubsequences: false).map { line in
      let indent = line.prefix { $0 == " " }
      let rest = line.dropFirst(indent.count)
      return switch rest.unicodeScalars.first {
      case "✓": indent + green.paint("✓") + rest.dropFirst()
      case "✗": indent + red.paint("✗") + rest.dropFirst()
      default: String(line)
      }
    }.joined(separator: "\n")
  }
}
