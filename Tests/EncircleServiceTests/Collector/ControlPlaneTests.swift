import Testing

@testable import EncircleService

/// The service from which a collector has its rules.
@Suite struct ControlPlaneTests {
  @Test func `a service that cannot be reached is named with the reason in one sentence`() async throws {
    let control = try #require(ControlPlane("http://127.0.0.1:9"))
    let failure = await #expect(throws: ControlPlane.Failure.self) { _ = try await control.get("/v1/settings") }
    #expect(failure?.description == "127.0.0.1:9 cannot be reached: Connection refused")
  }

  @Test func `the address of the control plane has a port that exists`() {
    for port in ["", ":1", ":65535"] { #expect(ControlPlane("http://127.0.0.1\(port)") != nil, "\(port)") }
    for port in [":0", ":65536", ":99999", ":-1", ":x"] {
      #expect(ControlPlane("http://127.0.0.1\(port)") == nil, "\(port)")
    }
  }
}
