import EncircleIdentity
import EncircleTestSupport
import EncircleTree
import Testing

@Suite struct AgreementTests {
  @Test(
    "random screens have the identities of the slow reference", .articles("H2"),
    arguments: TestSize.scaled(0..<40 as Range<UInt64>))
  func reference(block: UInt64) {
    for seed in block * 10..<block * 10 + 10 {
      let tree = RandomScreen.make(seed: seed)
      let screen = IdentifiedTree(tree)
      let expected = ReferenceView.identities(of: tree)
      for element in tree.elements {
        let identity = screen.identity(of: element)
        #expect(
          Array(identity.utf8) == Array(expected[element.index].utf8),
          "seed \(seed), element \(element): \(identity), expected \(expected[element.index])")
      }
    }
  }

  @Test("shipped view trees have the same identities as in the slow reference", arguments: viewTreeNames)
  func shippedReference(name: String) throws {
    let screen = try Screens.named(name)
    let expected = ReferenceView.identities(of: screen.tree)
    for element in screen.tree.elements {
      #expect(screen.identity(of: element) == expected[element.index], "element \(element)")
    }
  }

  @Test("all elements at once give the same as one by one, on shipped captures", arguments: PackageFolder.captureNames)
  func shippedTogether(name: String) throws {
    try together(try Screens.named(name), name)
  }

  @Test(
    "all elements at once and one by one give the same, on random screens",
    arguments: TestSize.scaled(1000..<1100 as Range<UInt64>))
  func randomTogether(seed: UInt64) throws {
    try together(IdentifiedTree(RandomScreen.make(seed: seed)), "seed \(seed)")
  }

  @Test(
    "a range of elements has the identities that they have among all",
    arguments: TestSize.scaled(0..<20 as Range<UInt64>))
  func range(seed: UInt64) {
    let screen = IdentifiedTree(RandomScreen.make(seed: seed))
    let all = Self.identities(of: screen)
    for start in 0...screen.tree.count {
      let end = min(start + 1 + Int(seed) % 7, screen.tree.count)
      #expect(Self.identities(of: screen, in: start..<end) == Array(all[start..<end]), "\(start)..<\(end)")
    }
  }

  private static func identities(of screen: IdentifiedTree, in numbers: Range<Int>? = nil) -> [String] {
    var identities: [String] = []
    screen.forEachIdentity(in: numbers) { element, path, identity, eventID in
      let texts = [path, identity].map { String(decoding: $0, as: UTF8.self) }
      identities.append("\(element) \(texts[0]) \(texts[1]) \(eventID)")
    }
    return identities
  }

  private func together(_ screen: IdentifiedTree, _ name: String) throws {
    var next = 0
    screen.forEachIdentity { element, path, identity, eventID in
      #expect(element.index == next)
      next += 1
      #expect(path.elementsEqual(screen.path(of: element).written(.underscores).utf8), "\(name), element \(element)")
      #expect(identity.elementsEqual(screen.identity(of: element).utf8), "\(name), element \(element)")
      #expect(eventID == screen.eventID(of: element), "\(name), element \(element)")
    }
    #expect(next == screen.tree.count)
  }

  // The reference looks up every ancestor of every ancestor, so the large one is left out.
  private static let viewTreeNames = PackageFolder.smallCaptureNames.filter {
    $0.hasSuffix(".xml") && $0.split(separator: ".").count <= 3 && !$0.contains(".wda") && !$0.contains(".uia")
      && !$0.contains(".uiautomator")
  }
}
