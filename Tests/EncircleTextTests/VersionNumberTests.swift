import EncircleText
import Testing

/// The order of versions.
@Suite struct VersionNumberTests {
  @Test("versions are ordered by their numbers and pre-releases, equal ones by bytes, after other texts")
  func order() {
    let versions = [
      "", "trial", "5.9", "5.10", "6.0-beta.2", "6.0-beta.10", "6.0-rc.1", "6.0", "6.0+44", "6.0+45", "6.0.0",
      "6.0.1-beta",
      "6.0.1", "6.1",
    ]
    for _ in 0..<20 { #expect(versions.shuffled().sorted(by: VersionNumber.areInOrder) == versions) }
  }
}
