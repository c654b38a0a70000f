import EncircleIdentity
import EncircleTestSupport
import EncircleTree
import Testing

/// HubbleData's statements in `docs/articles.md` that concern more than one rule of ``RuleTests``.
@Suite struct IdentityStatementTests {
  private func eventID(_ views: String) throws -> EventID {
    let screen = try Screens.of("<view class='UIWindow'>\(views)</view>")
    return screen.eventID(of: try #require(screen.it))
  }

  @Test(
    "only their order distinguishes siblings of a class, so that removing or swapping them gives another event ID",
    .articles("H5"))
  func siblings() throws {
    let (other, it) = ("<view class='UIButton' title='a'/>", "<view class='UIButton' title='b' identifier='it'/>")
    let second = try eventID(other + it)
    #expect(try eventID(it) != second)
    #expect(try eventID(it + other) != second)
    // Of another class they do no harm.
    #expect(try eventID("<view class='UILabel'/>" + other + it) == second)
  }

  @Test("a bar item has the event ID of its action on every page, at whatever place in the bar", .articles("H11"))
  func barItems() throws {
    func item(_ action: String, page: String, before: String = "") throws -> EventID {
      try eventID(
        """
        <view class='UILayoutContainerView' controller='UINavigationController'>
        <view class='UIView' controller='\(page)'/><view class='UINavigationBar'>\(before)
        <view class='UIButton' actions='\(action)' identifier='it'/></view></view>
        """)
    }
    let share = try item("share:", page: "Cart")
    #expect(try item("share:", page: "Order") == share)
    #expect(try item("share:", page: "Cart", before: "<view class='UIButton' actions='edit:'/>") == share)
    #expect(try item("edit:", page: "Cart") != share)
  }

  @Test("options at the same place of different alerts have different event IDs", .articles("H17"))
  func alerts() throws {
    func option(_ texts: String) throws -> EventID {
      try eventID(
        """
        <view class='_UIAlertControllerView' controller='UIAlertController' \(texts)>
        <view class='_UIInterfaceActionCustomViewRepresentationView' identifier='it'/></view>
        """)
    }
    let alerts = ["title='Leave?'", "title='Delete?'", "message='Leave?'", "title='Leave?' message='Now?'"]
    #expect(Set(try alerts.map(option)).count == alerts.count)
  }

  @Test(
    "every option of an action sheet is an element of its own, with an event ID of its own", .articles("H13", "H19"))
  func actionSheet() throws {
    let screen = try Screens.named("action-sheet.xml")
    let options = screen.tree.elements.filter { screen.trackingType(of: $0) == .alert }
    #expect(options.count >= 3)
    #expect(Set(options.map { screen.eventID(of: $0) }).count == options.count)
  }

  @Test("the place of a page in a scroll view is where it was put, however far that is scrolled", .articles("H23"))
  func scrolled() throws {
    func page(_ offset: String) throws -> EventID {
      try eventID(
        """
        <view class='UIView' controller='Channels'><view class='UIScrollView' frame='0 0 100 200' contentOffset='\(offset)'>
        <view class='UIView' controller='Feed' frame='300 0 100 200' identifier='it'/></view></view>
        """)
    }
    #expect(try page("0 0") == page("300 0"))
  }

  @Test("a button has one event ID in all its states, which its properties distinguish", .articles("H45"))
  func states() throws {
    func button(_ state: String) throws -> EventID { try eventID("<view class='UIButton' \(state) identifier='it'/>") }
    let follow = try button("title='Follow' titleColor='#FF0000' imageName='plus'")
    #expect(try button("title='Following' titleColor='#888888' imageName='tick' enabled='false'") == follow)
  }
}
