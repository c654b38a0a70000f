import EncircleCapture
import EncircleIdentity
import EncircleTestSupport
import EncircleTree
import Foundation
import GRDB
import Testing

@testable import EncircleDictionary

@Suite struct DictionaryFileTests {
  /// A folder for one test.
  private final class Folder {
    let url: URL
    init() throws {
      url = FileManager.default.temporaryDirectory.appendingPathComponent("encircle-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }
    deinit { try? FileManager.default.removeItem(at: url) }
    var dictionary: String { url.appendingPathComponent("d").path }
    var files: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }
  }

  private static let captures: [(name: String, screen: IdentifiedTree)] = PackageFolder.smallCaptureNames.compactMap {
    name in
    guard
      let tree = try? CaptureReader().read(contentsOf: PackageFolder.viewTrees.appendingPathComponent(name).path)
    else { return nil }
    return (name, IdentifiedTree(tree))
  }

  private func screen(_ views: String, header: String = "") throws -> IdentifiedTree {
    let text = viewTree(views).replacing("<viewTree version=\"1\"", with: "<viewTree version=\"1\" \(header)")
    return IdentifiedTree(try CaptureReader().read(Array(text.utf8)))
  }

  @discardableResult
  private func index(
    _ screens: [(name: String, screen: IdentifiedTree)], _ path: String, batchSize: Int = 200_000
  ) throws -> [DictionaryWriter.Addition] {
    let writer = try DictionaryWriter(path: path, batchSize: batchSize)
    let additions = try screens.map { try writer.add($0.screen, capture: $0.name) }
    try writer.finish()
    return additions
  }

  /// All that is known, for comparing dictionaries.
  private func dump(_ path: String) throws -> [String] {
    var lines: [String] = []
    try DictionaryReader(path: path).forEach { element in
      lines.append(
        "\(element.eventID) \(element.identity) \(element.page ?? "-") \(element.controller ?? "-") "
          + "\(element.type?.rawValue ?? "-") \(element.content ?? "-") "
          + "\(element.frame.map { "\($0.x) \($0.y) \($0.width) \($0.height)" } ?? "-") "
          + "\(element.captures) \(element.appVersions) \(element.sharing) "
          + element.styles.map { element.path(in: $0)?.written ?? "-" }.joined(separator: " "))
    }
    return lines
  }

  /// A dictionary of the shipped captures, which is written once, and all that is known by it.
  private static let shipped = Result { () throws -> (file: Data, dump: [String]) in
    let tests = DictionaryFileTests()
    let folder = try Folder()
    try tests.index(captures, folder.dictionary)
    return (try Data(contentsOf: URL(fileURLWithPath: folder.dictionary)), try tests.dump(folder.dictionary))
  }

  /// A folder with a copy of the dictionary of the shipped captures.
  private func shippedFolder() throws -> Folder {
    let folder = try Folder()
    try Self.shipped.get().file.write(to: URL(fileURLWithPath: folder.dictionary))
    return folder
  }

  @Test("every element of the shipped captures is found with all facts of resolve, in every style")
  func agreement() throws {
    let folder = try Folder()
    let additions = try index(Self.captures, folder.dictionary)
    #expect(folder.files == ["d"])
    let reader = try DictionaryReader(path: folder.dictionary)
    // Two of the captures differ in nothing that is kept, and so are one.
    #expect(additions.count { $0.isKnown } == 1)
    for ((name, screen), addition) in zip(Self.captures, additions) where !addition.isKnown {
      let contents = ElementContents(of: screen)
      let styles = PathStyleName.allCases.filter { $0.style.unmetRequirement(for: screen) == nil }
      try PathChains(of: screen).forEach { element, chain in
        let id = screen.eventID(of: element)
        let found = try reader.elements(with: id)
        let known = found.first { known in
          known.captures.contains(name) && known.page == screen.page(of: element)
            && known.type == screen.trackingType(of: element) && known.path == screen.path(of: element)
            && styles.allSatisfy { $0 == .postHog || known.path(in: $0) == $0.style.path(of: chain) }
        }
        let element = (identity: screen.identity(of: element), element)
        #expect(known != nil, "\(name) \(element.1)")
        #expect(known?.identity == element.identity && known?.controller == screen.controller(of: element.1))
        if found.count == 1, known?.captures.count == 1, known?.sharing == 1 {
          let isTracked = screen.trackingType(of: element.1) != nil
          #expect(known?.content == (isTracked ? contents.content(of: element.1) : contents.ownContent(of: element.1)))
          #expect(known?.frame == screen.tree.frame(of: element.1))
        }
      }
    }
  }

  @Test("event IDs looked up together give the same results as one by one")
  func together() throws {
    let folder = try shippedFolder()
    let reader = try DictionaryReader(path: folder.dictionary)
    let unknown = EventID(identity: "unknown")
    let ids = Self.captures.flatMap { _, screen in screen.tree.elements.map { screen.eventID(of: $0) } }
    let found = try reader.elements(with: [unknown] + ids)
    #expect(Set(found.keys) == Set(ids))
    func text(_ elements: [KnownElement]?) -> [String]? {
      elements?.map {
        "\($0.identity) \($0.page ?? "-") \($0.content ?? "-") \($0.captures) \($0.styles) \($0.sharing)"
      }
    }
    for id in Set(ids) { #expect(try text(found[id]) == text(reader.elements(with: id))) }
    #expect(try reader.elements(with: []).isEmpty)
  }

  @Test("the order of runs and their size make no difference", arguments: [1, 50, 200_000])
  func incremental(batchSize: Int) throws {
    let folder = try Folder()
    for piece in stride(from: 0, to: Self.captures.count, by: 7) {
      let some = Array(Self.captures[piece..<min(piece + 7, Self.captures.count)])
      try index(some, folder.dictionary, batchSize: batchSize)
    }
    #expect(try dump(folder.dictionary) == Self.shipped.get().dump)
  }

  @Test("a known capture changes nothing, under any name")
  func known() throws {
    let folder = try shippedFolder()
    let additions = try index(Self.captures.map { ("other/" + $0.name, $0.screen) }, folder.dictionary)
    #expect(additions.allSatisfy { $0.isKnown && $0.newElements == 0 })
    #expect(try dump(folder.dictionary) == Self.shipped.get().dump)
  }

  @Test(
    "a capture that differs only in what identities do not say is not a known one",
    arguments: ["gestures='tap'", "growingUniqueTag='buy'", "postHogLabel='buy'", "superclasses='UIButton'"])
  func otherFacts(attribute: String) throws {
    let folder = try Folder()
    let plain = try screen("<view class='UIWindow'><view class='BuyView'/></view>")
    let other = try screen("<view class='UIWindow'><view class='BuyView' \(attribute)/></view>")
    let additions = try index([("a", plain), ("b", other), ("c", other), ("d", plain)], folder.dictionary)
    #expect(additions.map(\.isKnown) == [false, false, true, true])
    let ids = try DictionaryReader(path: folder.dictionary).elements(withPrefix: "").map(\.eventID)
    #expect(Set(ids).count == 2)
  }

  @Test("an ID of Android's style is found although an earlier capture has the same identities")
  func otherResourceIDs() throws {
    let folder = try Folder()
    let screens = try ["buy", "pay"].map { id in
      try screen(
        "<view class='android.widget.FrameLayout' controller='A'><view class='B' identifier='a.b:id/\(id)'/></view>",
        header: "os='Android'")
    }
    try index([("old", screens[0]), ("new", screens[1])], folder.dictionary)
    let reader = try DictionaryReader(path: folder.dictionary)
    for screen in screens {
      let path = HubbleDataAndroidStyle().path(of: PathChains(of: screen).chain(to: ElementID(1)))
      let id = try #require(path?.digest).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
      #expect(try reader.elements(withPrefix: id).count == 1)
    }
  }

  @Test("names and texts with NUL, as JSON may have them, are kept whole")
  func nul() throws {
    let folder = try Folder()
    let json = #"{"windows":[{"type":"UIWindow","view_controller":"A\u0000B","children":[{"type":"C\u0000D"}]}]}"#
    let screen = IdentifiedTree(try CaptureReader().read(Array(json.utf8)))
    try index([("a", screen)], folder.dictionary)
    let reader = try DictionaryReader(path: folder.dictionary)
    for element in screen.tree.elements {
      let known = try #require(try reader.elements(with: screen.eventID(of: element)).first)
      #expect(EventID(identity: known.identity) == known.eventID && known.page == "A\0B")
    }
  }

  @Test("a dictionary in memory equals the elements of its captures")
  func memory() throws {
    let folder = try shippedFolder()
    let loaded = try DictionaryReader(path: folder.dictionary).load()
    var direct = ElementDictionary()
    for (_, screen) in Self.captures { direct.insert(screen) }
    #expect(loaded.count == direct.count)
    for element in direct.elements {
      let (a, b) = (loaded[element.eventID], direct[element.eventID])
      #expect(a?.path == b?.path && a?.page == b?.page)
    }
    for (_, screen) in Self.captures {
      for element in screen.tree.elements {
        let name = screen.className(of: element)
        #expect(loaded.vocabulary.contains(name))
        #expect(loaded.hierarchy.superclasses(of: name) == direct.hierarchy.superclasses(of: name))
      }
    }
    #expect(loaded[EventID(identity: "unknown")] == nil)
  }

  @Test(
    "in memory it has the paths of the style that is asked for", arguments: TestSize.scaled(PathStyleName.allCases))
  func styles(style: PathStyleName) throws {
    let folder = try shippedFolder()
    let loaded = try DictionaryReader(path: folder.dictionary).load(style: style)
    var direct = ElementDictionary(style: style)
    for (_, screen) in Self.captures { direct.insert(screen) }
    #expect(loaded.count == direct.count && loaded.count > 0)
    for element in direct.elements { #expect(loaded[element.eventID]?.path == direct[element.eventID]?.path) }
    guard style == .sensors, let feed = Self.captures.first(where: { $0.name == "home-feed.xml" }) else { return }
    let path = loaded[feed.screen.eventID(of: ElementID(35))]?.path.written(.slashes)
    #expect(
      path == "UIView/UITableView(0)/ProductCell(section:0 row:2)/UITableViewCellContentView(0)/UIButton(0)")
  }

  @Test("an ID shared by different elements keeps and reports them all")
  func conflicts() throws {
    let folder = try Folder()
    func bar(_ page: String) throws -> IdentifiedTree {
      try screen(
        """
        <view class='UIWindow'><view class='UILayoutContainerView' controller='UINavigationController'>
        <view class='UIView' controller='\(page)'/><view class='UINavigationBar'><view class='UIButton' actions='back:'/></view>
        </view></view>
        """)
    }
    let additions = try index([("a", bar("HomeViewController")), ("b", bar("CartViewController"))], folder.dictionary)
    let id = EventID(
      identity: "path(UIWindow(0)_UILayoutContainerView(0)_UINavigationBar(0)_UIButton)&actions(back:)")
    #expect(additions.map(\.conflictCount) == [0, 1])
    #expect(additions[1].conflicts == [id])
    let reader = try DictionaryReader(path: folder.dictionary)
    #expect(try reader.elements(with: id).map(\.page) == ["HomeViewController", "CartViewController"])
    #expect(try reader.elements(with: id).map(\.captures) == [["a"], ["b"]])
    let statistics = try DictionaryStatistics(of: reader)
    #expect(statistics.collisions.map(\.eventID) == [id])
    #expect(statistics.collisions.first?.pages == ["HomeViewController", "CartViewController"])
    // The page of the first stays the one in memory.
    #expect(try reader.load()[id]?.page == "HomeViewController")
  }

  @Test("paths that are written alike are different elements")
  func writtenAlike() throws {
    let folder = try Folder()
    let a = try screen(
      "<view class='W'><view class='UINavigationBar'><view class='UIButton_A' superclasses='UIButton UIControl'/></view></view>"
    )
    let b = try screen(
      "<view class='W'><view class='UINavigationBar'><view class='UIButton' actions=''><view class='A' superclasses='UIControl'/></view></view></view>"
    )
    let additions = try index([("a", a), ("b", b)], folder.dictionary)
    #expect(additions.map(\.conflictCount) == [0, 1])
  }

  @Test("elements of one capture that share an ID are counted")
  func sharing() throws {
    let folder = try Folder()
    let screen = try screen(
      "<view class='UITableView'><view class='UITableViewCell' indexPath='0 0'/><view class='UITableViewCell' indexPath='0 0'/></view>"
    )
    try index([("a", screen)], folder.dictionary)
    let id = EventID(identity: "path(UITableView(0)_UITableViewCell(section:0 row:0))")
    let reader = try DictionaryReader(path: folder.dictionary)
    #expect(try reader.elements(with: id).first?.sharing == 2)
    #expect(try DictionaryStatistics(of: reader).collisions.map(\.sharing) == [2])
  }

  @Test("many elements with one ID stay distinct, within a capture and between runs", arguments: [1, 200_000])
  func manySharing(batchSize: Int) throws {
    let folder = try Folder()
    // Controls in a navigation bar have no locator.
    func capture(_ range: Range<Int>, _ time: Int) throws -> IdentifiedTree {
      let buttons = range.map { "<view class='UIButton' title='b' label='\($0)'/>" }.joined()
      return try screen(
        "<view class='UIWindow'><view class='UINavigationBar'>\(buttons)</view></view>", header: "capturedAt='\(time)'")
    }
    let first = try index([("a", capture(0..<300, 1))], folder.dictionary, batchSize: batchSize)
    #expect(first.map(\.newElements) == [302])
    // The same elements at another time, all at once and by a further run.
    let again = try index(
      [("b", capture(0..<300, 2)), ("c", capture(0..<300, 3)), ("d", capture(0..<310, 4))], folder.dictionary,
      batchSize: batchSize)
    #expect(again.map(\.newElements) == [0, 0, 10])
    #expect(try DictionaryReader(path: folder.dictionary).count() == 312)
  }

  @Test("captures and versions are listed, versions in order")
  func versions() throws {
    let folder = try Folder()
    func version(_ number: String, _ inner: String) throws -> IdentifiedTree {
      try screen(
        "<view class='UIWindow'><view class='UIView' controller='Home'>\(inner)</view></view>",
        header: "app='a' appVersion='\(number)'")
    }
    try index(
      [
        ("1", version("5.10", "<view class='UIButton'/><view class='UISwitch'/>")),
        ("2", version("5.9", "<view class='UIButton'/>")), ("3", version("5.10.1", "<view class='UISwitch'/>")),
        (
          "4",
          try screen(
            "<view class='UIWindow'><view class='UIView' controller='Other'/></view>", header: "app='a' appVersion='6'")
        ),
      ], folder.dictionary)
    let reader = try DictionaryReader(path: folder.dictionary)
    let button = EventID(identity: "path(UIWindow(0)_UIView(0)_UIButton(0))&controller(Home)")
    let toggle = EventID(identity: "path(UIWindow(0)_UIView(0)_UISwitch(0))&controller(Home)")
    let element = try #require(try reader.elements(with: button).first)
    #expect(element.captures == ["1", "2"] && element.appVersions == ["5.9", "5.10"])
    let versions = try DictionaryStatistics(of: reader).versions
    #expect(versions.map(\.version) == ["5.9", "5.10", "5.10.1", "6"])
    #expect(versions.map(\.appeared) == [[], [toggle], [], []])
    // No capture of version 6 shows the page, so nothing is known to have gone.
    #expect(versions.map(\.disappeared) == [[], [], [button], []])
  }

  @Test("pages and apps are listed by the bytes of their names, those without a name first")
  func orderOfNames() throws {
    let folder = try Folder()
    // The last two names are the same text to Swift, with composed and decomposed characters.
    let names = [nil, "", "Cafe\u{301}", "Caf\u{E9}"] as [String?]
    let screens = try names.indices.reversed().map { i in
      let name = names[i]
      let app = name.map { "app='\($0)' " } ?? ""
      let controller = name.map { $0.isEmpty ? "" : "controller='\($0)'" } ?? ""
      return (name: "\(i)", screen: try screen("<view class='W\(i)' \(controller)/>", header: app + "appVersion='1'"))
    }
    try index(screens, folder.dictionary)
    let statistics = try DictionaryStatistics(of: DictionaryReader(path: folder.dictionary))
    func bytes(_ names: [String?]) -> [[UInt8]?] { names.map { $0.map { Array($0.utf8) } } }
    #expect(bytes(statistics.versions.map(\.app)) == bytes(names))
    #expect(bytes(statistics.pages.map(\.name)) == bytes([nil, "Cafe\u{301}", "Caf\u{E9}"]))
  }

  @Test("an ID is found by its first digits, if unique, and by ids of other styles")
  func prefixes() throws {
    let folder = try shippedFolder()
    let reader = try DictionaryReader(path: folder.dictionary)
    let (_, screen) = try #require(Self.captures.first { $0.name == "cart.xml" })
    let chains = PathChains(of: screen)
    for element in screen.tree.elements {
      let id = screen.eventID(of: element)
      for length in [8, 9, 33, 64] {
        let digits = String(id.description.prefix(length))
        #expect(try reader.elements(withPrefix: digits).contains { $0.eventID == id })
        #expect(try reader.elements(withPrefix: digits.uppercased()).contains { $0.eventID == id })
      }
      guard let digest = LedeStyle().path(of: chains.chain(to: element))?.digest else { continue }
      let digits = digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
      #expect(try reader.elements(withPrefix: digits).contains { $0.eventID == id })
    }
    for nothing in ["00000000", "x", String(repeating: "0", count: 65)] {
      #expect(try reader.elements(withPrefix: nothing).isEmpty)
    }
  }

  @Test("many captures of few screens stay a small file")
  func small() throws {
    let folder = try Folder()
    let writer = try DictionaryWriter(path: folder.dictionary)
    for i in 0..<500 {
      let screen = try screen(
        """
        <view class='UIWindow'><view class='UIView' controller='Page\(i % 10)'><view class='UITableView'>
        \(i % 2 == 0 ? "<view class='UITableViewCell' indexPath='0 9'/>" : "")
        <view class='UITableViewCell' indexPath='0 \(i % 7)'><view class='UIButton' title='\(i % 3)'/></view>
        </view></view></view>
        """, header: "capturedAt='\(i)'")
      try writer.add(screen, capture: "\(i).xml")
    }
    try writer.finish()
    let size = try FileManager.default.attributesOfItem(atPath: folder.dictionary)[.size] as? Int ?? 0
    // 70 cells, each seen in every seventieth capture; most of it are the names of captures.
    #expect(size < 500 * 300)
    let reader = try DictionaryReader(path: folder.dictionary)
    #expect(reader.allCaptures.count == 500)
    // A cell is one element wherever it has been scrolled to. A window is a different element on each page, because in style
    // growingio its path begins with the page.
    #expect(try reader.count() == 10 * (1 + 1 + 1 + 7 * 2) + 5)
  }

  // MARK: - What goes wrong

  @Test("a run that does not finish leaves the old dictionary, and the next one goes on")
  func unfinished() throws {
    let folder = try Folder()
    try index(Array(Self.captures[0..<5]), folder.dictionary)
    let before = try Data(contentsOf: URL(fileURLWithPath: folder.dictionary))
    var writer: DictionaryWriter? = try DictionaryWriter(path: folder.dictionary, batchSize: 1)
    try writer?.add(Self.captures[6].screen, capture: "six")
    #expect(throws: DictionaryError.locked) { try DictionaryWriter(path: folder.dictionary) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.dictionary)) == before)
    #expect(folder.files == [".d.indexing", "d"], "a run that must wait leaves the other's file alone")
    writer = nil
    #expect(folder.files == ["d"])
    // As a killed run leaves it.
    try Data("rubbish".utf8).write(to: folder.url.appendingPathComponent(".d.indexing"))
    try index([Self.captures[6]], folder.dictionary)
    #expect(folder.files == ["d"])
    #expect(try DictionaryReader(path: folder.dictionary).allCaptures.count == 6)
  }

  private func damaged(_ folder: Folder, _ change: (inout [UInt8]) -> Void) throws -> String {
    let path = folder.dictionary
    try index([Self.captures[3]], path)
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    change(&bytes)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test(
    "other files than dictionaries are refused with a reason by readers and writers, and stay unchanged",
    arguments: [
      ("empty", DictionaryError.notADictionary), ("text", .notADictionary), ("half", .truncated),
      ("header", .truncated),
      ("newer", .newerVersion(found: 2, known: 1)), ("other", .otherDatabase),
    ])
  func refused(what: String, expected: DictionaryError) throws {
    let folder = try Folder()
    let path = try damaged(folder) { bytes in
      switch what {
      case "empty": bytes = []
      case "text": bytes = Array(repeating: 0x41, count: 5000)
      case "half": bytes.removeSubrange((bytes.count / 2)...)
      case "header": bytes.removeSubrange(50...)
      case "newer": bytes[63] = 2
      default: bytes[68] = 0
      }
    }
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(throws: expected) { try DictionaryReader(path: path) }
    #expect(throws: expected) { try DictionaryWriter(path: path) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(folder.files == ["d"])
  }

  @Test("missing files, directories, read-only and locked ones have their own errors")
  func access() throws {
    let folder = try Folder()
    #expect(throws: DictionaryError.noSuchFile) { try DictionaryReader(path: folder.dictionary) }
    #expect(throws: DictionaryError.isDirectory) { try DictionaryReader(path: folder.url.path) }
    #expect(throws: DictionaryError.isDirectory) { try DictionaryWriter(path: folder.url.path) }
    #expect(throws: DictionaryError.self) { try DictionaryWriter(path: folder.url.path + "/no/such") }
    try index([Self.captures[0]], folder.dictionary)
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: folder.dictionary)
    #expect(throws: DictionaryError.readOnly) { try DictionaryWriter(path: folder.dictionary) }
    #expect(try DictionaryReader(path: folder.dictionary).count() > 0)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.dictionary)
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: folder.dictionary, configuration: configuration)
    try other.inDatabase { try $0.execute(sql: "BEGIN EXCLUSIVE") }
    #expect(throws: DictionaryError.locked) { try DictionaryWriter(path: folder.dictionary) }
    #expect(throws: DictionaryError.locked) { try DictionaryReader(path: folder.dictionary) }
    try other.inDatabase { try $0.execute(sql: "ROLLBACK") }
    #expect(try DictionaryReader(path: folder.dictionary).count() > 0)
  }

  @Test("with any bytes changed, reading ends, with or without an error", arguments: TestSize.scaled(0..<60))
  func fuzzed(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let folder = try Folder()
    let path = try damaged(folder) { bytes in
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        bytes[Int.random(in: 100..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
    }
    guard let reader = try? DictionaryReader(path: path) else { return }
    _ = try? reader.load()
    try? reader.forEach { element in for style in element.styles { _ = element.path(in: style)?.written } }
    _ = try? DictionaryStatistics(of: reader)
    _ = try? DictionaryWriter(path: path)
  }
}
