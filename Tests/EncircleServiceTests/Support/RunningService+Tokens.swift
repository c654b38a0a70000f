import Testing

extension RunningService {
  /// Makes a token.
  func token(_ name: String, _ role: String, as token: String?) async throws -> String {
    let answer = try await post("/v1/tokens", json: ["name": name, "role": role], headers: token.map(bearer) ?? [:])
    return try #require(answer.object["token"] as? String, "\(answer.text)")
  }
}

/// The headers of a request with a token.
func bearer(_ token: String) -> [String: String] { ["Authorization": "Bearer \(token)"] }
