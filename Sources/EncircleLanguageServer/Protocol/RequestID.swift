import EncircleText

/// The number or text that identifies a request and its response.
enum RequestID: Hashable, Codable, Sendable {
  case number(Int)
  case text(UTF8String)

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int.self) {
      self = .number(number)
    } else {
      self = .text(UTF8String(try container.decode(String.self)))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text.text)
    }
  }
}
