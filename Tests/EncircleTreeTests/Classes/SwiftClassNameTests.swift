import EncircleTree
import Testing

@Suite struct SwiftClassNameTests {
  @Test(
    "names are those that String(describing:) prints",
    arguments: [
      ("UIButton", "UIButton"), ("Shop.CartView", "CartView"), ("Shop.Box<Shop.Item>", "Box<Shop.Item>"),
      ("_TtC4Shop8CartView", "CartView"), ("_TtCC4Shop8CartView3Row", "Row"),
      ("_TtC4ShopP33_0123456789ABCDEF0123456789ABCDEF6Secret", "Secret"),
      ("_TtCF4Shop8makeViewFT_CSo6UIViewL_5Local", "Local"), ("_TtCVO4Shop5Theme6Colors6Swatch", "Swatch"),
      ("_TtGC4Shop3BoxSS_", "Box<String>"), ("_TtGC4Shop3BoxGSaCS_4Item__", "Box<Array<Item>>"),
      ("_TtGC4Shop4PairSiGSqSb__", "Pair<Int, Optional<Bool>>"),
      ("_TtGCC4Shop5Outer5InnerSi_SS_", "Inner<String>"),
      (
        "_TtGC7SwiftUI14_UIHostingViewGVS_15ModifiedContentVS_7AnyViewVS_5Theme__",
        "_UIHostingView<ModifiedContent<AnyView, Theme>>"
      ),
      ("_TtGC4Shop3BoxFT1aSi_T__", "Box<(a: Int) -> ()>"), ("_TtGC4Shop3BoxPS_5Named__", "Box<Named>"),
      ("_TtC4Shop5View2", "View2"),
    ])
  func described(name: String, expected: String) {
    #expect(SwiftClassName.described(name) == expected)
  }

  @Test(
    "other names stay, or are reduced to their last identifier",
    arguments: [
      ("_Tt", "_Tt"), ("_TtC", "_TtC"), ("_TtC99Shop", "_TtC99Shop"), ("_TtC4Shop0", "_TtC4Shop0"),
      ("_TtQQ4View", "View"), (".", "."), ("Shop.", "Shop."), ("<", "<"),
    ])
  func hostile(name: String, expected: String) {
    #expect(SwiftClassName.described(name) == expected)
  }

  @Test("nesting and repetition have limits", arguments: ["G", "C", "F", "T", "M", "E", "GC1M1AS_"])
  func limits(piece: String) {
    for count in [100, 4_000, 100_000] {
      let name = "_Tt" + String(repeating: piece, count: count)
      #expect(SwiftClassName.described(name).utf8.count <= max(name.utf8.count, 20_000))
    }
  }
}
