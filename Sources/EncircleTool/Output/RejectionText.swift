import EncircleEvents
import EncircleText

/// Rejected input as a JSON line, or as a line for people.
enum RejectionText {
  static func append(_ rejection: Rejection, file name: String, asRecord: Bool, to bytes: inout [UInt8]) {
    guard asRecord else {
      bytes.append(
        contentsOf: errorLine("\(name):\(rejection.location): error: not an event: \(rejection.reason.message)"))
      return
    }
    bytes.append("{\"file\":")
    JSONText.append(name, to: &bytes)
    let location = rejection.location
    bytes.append(contentsOf: ",\"line\":\(rejection.line)".utf8)
    // The problem may be in a later line than the beginning of the record.
    if location.line != rejection.line { bytes.append(contentsOf: ",\"problem_line\":\(location.line)".utf8) }
    bytes.append(contentsOf: ",\"column\":\(location.column),\"reason\":".utf8)
    JSONText.append(rejection.reason.message, to: &bytes)
    bytes.append(",\"text\":")
    JSONText.append(String(decoding: rejection.bytes, as: UTF8.self), to: &bytes)
    bytes.append("}\n")
  }
}
