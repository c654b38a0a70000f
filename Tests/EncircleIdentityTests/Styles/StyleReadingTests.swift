import EncircleTestSupport
import EncircleText
import EncircleTree
import Testing

@testable import EncircleIdentity

@Suite struct StyleReadingTests {
  @Test(
    "paths of events are read, and written again byte for byte",
    arguments: [
      (.sensors, "UIView/UITableView[1]/Cell[0][0]/UICollectionView[0]/Item[0][-]", ".none .index .cell .index .any"),
      (.sensors, "UIAlertController/_UIAlertControllerView/UIView[0]", ".none .none .index"),
      (.sensors, "UIView/UISegmentedControl[0]/UISegment[-]", ".none .index .anyIndex"),
      (.sensors, "UIView/[SectionHeader][2]/UIButton[0]", ".none .header .index"),
      (.sensors, "UIView/[SectionFooter][0]", ".none .footer"),
      (.sensors, "Shop.Box<Shop.Item>[12]", ".index"),
      // As captures may have it: the greatest number.
      (.sensorsExact, "A[0][9223372036854775807]", ".cell"), (.lede, "A-B & 0-0:9223372036854775807", ".index .cell"),
      (.sensors, "caf\u{E9}[0]/e\u{301}[1]/\u{301}[0]", ".index .index .index"),
      (.lede, "A-B-C & 0-1-0:2", ".index .index .cell"), (.lede, "A & B & 0", ".index"),
      (.growingIO, "/A/Section/B/C & /0/1/-/0", ".index .any .index"),
      (.growingIO, "/ButtonAAA & /0", ".index"), (.growingIO, "/A/UISegment & /0/-", ".index .anyIndex"),
      (.growingIO, "/Section & /0", ".index"),
      // A tag on a cell has two indexes, one with slashes looks like several names.
      (.growingIO, "/BuyRow & /0/-", ".any"), (.growingIO, "/BuyRow/V/B & /0/3/0/1", ".cell .index .index"),
      (.growingIO, "/home/banner 1 & /2", ".index"), (.growingIO, "/a/b/c & /0/-", ".any"),
      (.growingIO, "/A/Section & /0/-", ".any"),
      (.growingIO, "/C/L/Button/Button & /0/0/0/-/1", ".index .index .any .index"),
      (.hubbleDataAndroid, "com.x.Main:DecorView[0]/Button[0]#pay", ".index .index"),
      (
        .hubbleDataAndroid, "M:D[0]/L[group:1]/L[group:1,child:2]/L[header:0]/L[footer:3]/F[-]",
        ".index .group .child .lh .lf .anyIndex"
      ),
      (
        .sensorsAndroid, "/a.L[0]/a.List[3]/ELVG[1]/ELVC[1:0]/a.Outer.Inner[-]", ".index .index .index .child .anyIndex"
      ),
      (.growingIOAndroid, "/Main/Home/Feed/Card/Button & /0/host/0/-/add", ".index .none .index .anyIndex .none"),
      // A tag may contain slashes, and a tagged row has several places.
      (.growingIOAndroid, "/AlertDialog/Sure?ButtonLayout/Button & /0/1", ".index .index"),
      (.growingIOAndroid, "/promo/Button & /3/-/0/1", ".none .index"),
      (.postHog, "UIButton:text=\"a;b:\\\"c\"attr__class=\"X\"attr_id=\"y\";UIView;UIWindow", ".none .none .none"),
      // Quotes are not escaped, and a backslash escapes nothing.
      (.postHog, "UIButton:text=\"say \"hi\"\";UIView", ".none .none"), (.postHog, "B:text=\"\"\";V", ".none .none"),
      (.postHog, "B:text=\"ends\\\";V", ".none .none"), (.postHog, "B:text=\"B\"attr_id=\"x=\"1\"\";V", ".none .none"),
      (.postHog, "B:attr__class=\"C\"attr_id=\"a\nb\"", ".none"),
      (.postHog, "A", ".none"),
      (.hubbleData, "UIWindow(0)_Cell(section:0 row:1)_Page(indexx:-1 indexy:0)", ".index .cell .position"),
    ] as [(PathStyleName, String, String)])
  func reads(style: PathStyleName, text: String, places: String) throws {
    let path = try #require(try style.style.read(text).first)
    #expect(Array(path.written.utf8) == Array(text.utf8))
    #expect(path.components.map { Self.name($0.place) }.joined(separator: " ") == places)
  }

  private static func name(_ place: StyledComponent.Place) -> String {
    switch place {
    case .none: ".none"
    case .position: ".position"
    case .index: ".index"
    case .anyIndex: ".anyIndex"
    case .cell: ".cell"
    case .anyCell: ".any"
    case .sectionHeader: ".header"
    case .sectionFooter: ".footer"
    case .group: ".group"
    case .groupChild: ".child"
    case .listHeader: ".lh"
    case .listFooter: ".lf"
    }
  }

  @Test(
    "an invalid path of the style is an error with its place",
    arguments: [
      (.sensors, "", .empty, 0), (.sensors, "A//B", .emptyComponent, 2), (.sensors, "A/", .emptyComponent, 2),
      (.sensors, "[0]", .emptyComponent, 0), (.sensors, "A[x]", .badIndex("x"), 2), (.sensors, "A[]", .badIndex(""), 2),
      (.sensors, "A/B[01]", .badIndex("01"), 4), (.sensors, "A[-][0]", .badIndex("-"), 2),
      (.sensors, "A[9223372036854775808]", .badIndex("9223372036854775808"), 2),
      (.sensors, "A[-1]", .badIndex("-1"), 2),
      (.lede, "A-B", .noIndexes, 3), (.lede, "A-B & 0", .unequal(classes: 2, indexes: 1), 6),
      (.lede, "A--B & 0-0-0", .emptyComponent, 2), (.lede, "A & x", .badIndex("x"), 4),
      (.lede, "A & 0:-", .unequal(classes: 1, indexes: 2), 4),
      (.growingIO, "/A", .noIndexes, 2), (.growingIO, "A & /0", .noLeadingSeparator, 0),
      (.growingIO, "/A & 0", .noLeadingSeparator, 5), (.growingIO, "/A & /0/0/0", .unequal(classes: 1, indexes: 3), 5),
      (.growingIO, "/A//B & /0/0/0", .emptyComponent, 3), (.growingIO, "/A & /x", .badIndex("x"), 6),
      (.hubbleDataAndroid, "D[0]", .noPage, 0), (.hubbleDataAndroid, ":D[0]", .noPage, 0),
      (.hubbleDataAndroid, "M:D", .badIndex(""), 3), (.hubbleDataAndroid, "M:D[0]x", .badIndex("x"), 6),
      (.hubbleDataAndroid, "M:D[group:x]", .badIndex("group:x"), 4), (.hubbleDataAndroid, "M:", .emptyComponent, 2),
      (.postHog, "A;;B", .emptyComponent, 2), (.postHog, "A:text=\"x", .unclosedQuote, 7),
      (.postHog, "A:href=\"x\"", .badAttribute("href"), 2), (.postHog, "A:", .badAttribute(""), 2),
      (.hubbleData, "A(0)_", .emptyComponent, 5),
      (.hubbleData, "A(01)", .badIndex("01"), 2),
    ] as [(PathStyleName, String, PathStyleError.Kind, Int)])
  func errors(style: PathStyleName, text: String, kind: PathStyleError.Kind, offset: Int) {
    #expect(throws: PathStyleError(kind, offset: offset)) { try style.style.read(text) }
  }

  @Test("very long and very deep paths are read in linear time or refused", arguments: PathStyleName.allCases)
  func long(style: PathStyleName) {
    for piece in ["A/", "A-", "A[0]/", "A;", "(0)_", "/", "[", "[0]", "A:text=\"", "_A", "-"] {
      let text = String(repeating: piece, count: ElementPath.maximumLength / piece.utf8.count)
      _ = try? style.style.read(text)
    }
    #expect(throws: PathStyleError(.tooLong, offset: ElementPath.maximumLength)) {
      try style.style.read(String(repeating: "A", count: ElementPath.maximumLength + 1))
    }
  }

  @Test(
    "whatever is done to paths, what is read is written again, or the error is within the text",
    arguments: TestSize.scaled(0..<20))
  func mutations(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let texts = [
      "UIView/UITableView[1]/Cell[0][0]/Item[0][-]", "UIView/[SectionHeader][2]/UISegment[-]", "A-B-C & 0-1-0:2",
      "/A/Section/B/C & /0/1/-/0", "M:D[0]/L[group:1,child:2]/F[-]/Button[0]#pay",
      "UIButton:text=\"a;\\\"b\"attr__class=\"X\"attr_id=\"y\";UIView",
    ]
    let words = [
      "[0]", "[-]", "[", "]", "/", "-", " & ", "0:2", ":", ";", "\"", "\\", "text=\"", "attr_id=\"", "#", "Section",
      "\u{301}", "01",
      "[SectionHeader]", "header:", "group:1,child:", "9999999999999999999",
    ]
    for _ in 0..<500 {
      var bytes = Array(random.pick(texts).utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        let end = random.oneIn(2) ? place : min(bytes.count, place + Int.random(in: 0...6, using: &random))
        bytes.replaceSubrange(place..<end, with: random.pick(words).utf8)
      }
      let text = String(decoding: bytes, as: UTF8.self)
      for name in PathStyleName.allCases where name != .hubbleData {
        do {
          let paths = try name.style.read(text)
          let written = paths[0].written
          // A chain of a page may be read in several ways, and its pairs have no order.
          if name.isWeb { continue }
          #expect(written.hasSameBytes(as: text), "\(name) \(text)")
          #expect(try name.style.read(written) == paths, "\(name) \(text)")
          _ = try readings(name, text)
        } catch let error as PathStyleError {
          #expect((0...text.utf8.count).contains(error.offset), "\(name) \(text): \(error)")
        }
      }
    }
  }

  private func readings(
    _ style: PathStyleName, _ text: String, indexes: String? = nil, _ hierarchy: ClassHierarchy = .builtIn
  ) throws -> PathReadings {
    let text = Array(text.utf8)
    return try text.withUnsafeBufferPointer { text in
      guard let indexes else { return try style.style.readings(of: text, hierarchy: hierarchy) }
      return try Array(indexes.utf8).withUnsafeBufferPointer {
        try style.style.readings(of: text, indexes: $0, hierarchy: hierarchy)
      }
    }
  }

  @Test(
    "selectors see rows or items by the classes of cell and list, else both; an unknown row is -1",
    arguments: [
      (.sensors, "UIView/UITableView[0]/MyCell[0][-]", ["UIView/UITableView(0)/MyCell(section:0 row:-1)"]),
      (.sensors, "UICollectionView[0]/MyCell[1][2]", ["UICollectionView(0)/MyCell(section:1 item:2)"]),
      (.sensors, "MyList[0]/UICollectionViewCell[1][2]", ["MyList(0)/UICollectionViewCell(section:1 item:2)"]),
      (
        .sensors, "MyList[0]/MyCell[1][2]", ["MyList(0)/MyCell(section:1 row:2)", "MyList(0)/MyCell(section:1 item:2)"]
      ),
      (.sensors, "A/UISegment[-]", ["A/UISegment(-1)"]),
      (.growingIO, "/A/Section/MyCell & /0/1/-", ["A(0)/MyCell(section:1 row:-1)", "A(0)/MyCell(section:1 item:-1)"]),
      (.lede, "C-UITableView-MyCell & 0-0-1:2", ["C(0)/UITableView(0)/MyCell(section:1 row:2)"]),
      (.hubbleDataAndroid, "M:D[0]/Button[0]#pay", ["D(0)/Button#pay(0)", "D(0)/Button(0)"]),
      (.postHog, "UIButton;UIView", ["UIView/UIButton"]),
      (.hubbleData, "A(0)/B", ["A(0)/B"]),
    ] as [(PathStyleName, String, [String])])
  func readings(style: PathStyleName, text: String, expected: [String]) throws {
    let readings = try readings(style, text)
    #expect(readings.graph.readings(limit: 99).map { $0.written(.slashes) } == expected)
    #expect(!readings.isAmbiguous)
    #expect(readings.page == (style == .hubbleDataAndroid ? "M" : nil))
  }

  @Test("GrowingIO's two properties are read together, and classes of the app count")
  func together() throws {
    var hierarchy = ClassHierarchy.builtIn
    hierarchy.add("MyCell", superclass: "UICollectionViewCell")
    let readings = try readings(.growingIO, "/A/Section/MyCell", indexes: "/0/0/-", hierarchy)
    #expect(readings.graph.readings(limit: 99).map { $0.written(.slashes) } == ["A(0)/MyCell(section:0 item:-1)"])
    #expect(throws: PathStyleError(.unequal(classes: 3, indexes: 5), offset: 0)) {
      try self.readings(.growingIO, "/A/Section/MyCell", indexes: "/0/0/0/0/0")
    }
  }

  @Test("content of an Android fragment may be a row, as the fragment's root view may be a list")
  func fragments() throws {
    var hierarchy = ClassHierarchy.builtIn
    hierarchy.add("a.Feed", superclass: "androidx.fragment.app.Fragment")
    hierarchy.add("a.Box", superclass: "android.widget.FrameLayout")
    func mayBeRow(_ path: String) throws -> Bool {
      let paths = try readings(.sensorsAndroid, path, hierarchy).graph.readings(limit: 99)
      return paths.contains { $0.components.last?.locator == .row(section: 0, row: 3) }
    }
    #expect(try mayBeRow("a.Feed[0]/a.Card[3]"))
    #expect(try !mayBeRow("a.Box[0]/a.Card[3]"))
  }

  @Test("an ambiguous path has all its readings")
  func ambiguous() throws {
    let readings = try readings(.hubbleData, "A_B(0)")
    #expect(readings.graph.readings(limit: 99).map { $0.written(.slashes) }.sorted() == ["A/B(0)", "A_B(0)"])
    #expect(readings.isAmbiguous)
  }

  @Test(
    "a conversion names what it loses",
    arguments: [
      (
        .sensorsExact, "V/UITableView[0]/C[0][3]/B[1]", .sensors, "V/UITableView[0]/C[0][-]/B[1]",
        ["the row of C in section 0, row 3"]
      ),
      (
        .sensorsExact, "V/T[0]/C[0][3]/L[0]/D[1][2]", .sensors, "V/T[0]/C[0][3]/L[0]/D[1][-]",
        ["the row of D in section 1, row 2"]
      ),
      (
        .sensorsExact, "UIAlertController/V/C[0][3]", .sensors, "UIAlertController/V/C[0][-]",
        ["the row of C in section 0, row 3"]
      ),
      (.sensorsExact, "V/B[1]", .sensors, "V/B[1]", []), (.sensors, "V/B[1]", .sensorsExact, "V/B[1]", []),
      (.sensors, "V/B[1]", .sensors, "V/B[1]", []),
    ] as [(PathStyleName, String, PathStyleName, String, [String])])
  func conversions(from: PathStyleName, text: String, to: PathStyleName, expected: String, losses: [String]) throws {
    let conversion = try #require(PathConversion.direct(try from.style.read(text)[0], to: to))
    #expect(conversion.path.written == expected)
    #expect(conversion.losses == losses)
  }

  @Test(
    "facts that the text does not have are not invented",
    arguments: [
      (.sensors, "V/C[0][-]", .sensorsExact), (.sensors, "V/B[0]", .hubbleData), (.hubbleData, "W(0)_B(0)", .sensors),
      (.postHog, "B;W", .hubbleData), (.hubbleData, "W(0)_B(0)", .postHog), (.lede, "A & 0", .growingIO),
    ] as [(PathStyleName, String, PathStyleName)])
  func noConversion(from: PathStyleName, text: String, to: PathStyleName) throws {
    #expect(PathConversion.direct(try from.style.read(text)[0], to: to) == nil)
  }
}
