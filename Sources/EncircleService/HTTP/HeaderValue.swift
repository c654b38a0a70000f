import EncircleText
import Foundation

/// A header with parameters: `form-data; name="capture"; filename="home.xml"`.
struct HeaderValue {
  /// The value before the parameters, in lower case.
  var value: String
  /// The parameters by name in lower case. If one is repeated, the first counts.
  var parameters: [String: String] = [:]

  init(_ text: String) {
    var fields: [String] = [""]
    var isQuoted = false
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if isQuoted {
        if isEscaped || (scalar != "\\" && scalar != "\"") {
          fields[fields.count - 1].unicodeScalars.append(scalar)
          isEscaped = false
        } else if scalar == "\\" {
          isEscaped = true
        } else {
          isQuoted = false
        }
      } else if scalar == "\"" {
        isQuoted = true
      } else if scalar == ";" {
        fields.append("")
      } else {
        fields[fields.count - 1].unicodeScalars.append(scalar)
      }
    }
    value = fields[0].trimmingCharacters(in: .whitespaces).lowercased()
    for field in fields.dropFirst() {
      let parts = field.splitBytes(at: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      let name = parts[0].trimmingCharacters(in: .whitespaces).lowercased()
      if parameters[name] == nil { parameters[name] = String(parts[1]).trimmingCharacters(in: .whitespaces) }
    }
  }
}
