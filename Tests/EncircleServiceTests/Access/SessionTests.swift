import Foundation
import Testing

@Suite struct SessionTests {
  @Test func `a login longer than any token is refused before it is read`() async throws {
    let service = try RunningService()
    let long = String(repeating: "x", count: 5_000)
    #expect(try await service.post("/v1/session", json: ["token": long]).status == 413)
  }

  @Test func `a browser has a session, whose changes carry a second secret`() async throws {
    let service = try RunningService()
    let lin = try await service.token("lin", "publish", as: nil)
    let opened = try await service.post("/v1/session", json: ["token": lin])
    let csrf = try #require(opened.object["csrf"] as? String)
    let header = try #require(opened.headers["set-cookie"])
    #expect(header.contains("HttpOnly") && header.contains("SameSite=Strict") && !header.contains("Secure"))
    let cookie = ["Cookie": "x=1; \(header.prefix { $0 != ";" })"]
    #expect(try await service.get("/v1/session", headers: cookie).object["csrf"] as? String == csrf)
    #expect(try await service.get("/v1/rulesets", headers: cookie).status == 200)
    #expect(try await service.put("/v1/settings", json: [:], headers: cookie).errorCode == "csrf")
    let wrong = cookie.merging(["X-CSRF-Token": "no"]) { $1 }
    #expect(try await service.put("/v1/settings", json: [:], headers: wrong).errorCode == "csrf")
    let right = cookie.merging(["X-CSRF-Token": csrf]) { $1 }
    #expect(try await service.put("/v1/settings", json: [:], headers: right).status == 200)
    #expect(try await service.get("/v1/rulesets", headers: ["Cookie": "encircle_session=x"]).status == 401)
    for (scheme, isSecure) in [("https", true), ("HTTPS", true), ("https, http", true), ("http, https", false)] {
      let opened = try await service.post(
        "/v1/session", json: ["token": lin], headers: ["X-Forwarded-Proto": scheme])
      #expect(opened.headers["set-cookie"]?.contains("; Secure") == isSecure, "\(scheme)")
    }
    let closed = try await service.delete("/v1/session", headers: cookie)
    #expect(closed.status == 204 && closed.headers["set-cookie"]?.contains("Max-Age=0") == true)
    #expect(try await service.get("/v1/rulesets", headers: cookie).status == 401)
  }

  @Test func `a session ends with its token, and outlives the process`() async throws {
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let first = try RunningService(directory: directory)
    let lin = try await first.token("lin", "publish", as: nil)
    let made = try await first.post("/v1/tokens", json: ["name": "bob", "role": "read"], headers: bearer(lin)).object
    let opened = try await first.post("/v1/session", json: ["token": made["token"] as? String ?? ""])
    let cookie = ["Cookie": String(try #require(opened.headers["set-cookie"]).prefix { $0 != ";" })]
    first.crash()
    let second = try RunningService(directory: directory)
    #expect(try await second.get("/v1/rulesets", headers: cookie).status == 200)
    _ = try await second.delete("/v1/tokens/\(made["id"] as? String ?? "")", headers: bearer(lin))
    #expect(try await second.get("/v1/rulesets", headers: cookie).status == 401)
  }

  @Test func `failed logins are slowed down`() async throws {
    let service = try RunningService()
    let lin = try await service.token("lin", "publish", as: nil)
    for _ in 1...10 {
      #expect(try await service.post("/v1/session", json: ["token": "encircle_0_no"]).status == 401)
    }
    let slowed = try await service.post("/v1/session", json: ["token": "encircle_0_no"])
    #expect(slowed.status == 429 && slowed.headers["retry-after"] != nil)
    // Whoever shares the address of an attacker is not locked out.
    #expect(try await service.post("/v1/session", json: ["token": lin]).status == 200)
    #expect(try await service.get("/v1/rulesets", headers: bearer(lin)).status == 200)
    #expect(try await service.post("/v1/session", json: ["tokn": lin]).status == 422)
  }
}
