import EncircleTree
import Testing

@Suite struct RuntimeSubclassTests {
  @Test(
    "a runtime-made class counts as the written class",
    arguments: [
      // Key-value observing.
      ("NSKVONotifying_UIButton", "UIButton"), ("NSKVONotifying__UIButtonBarButton", "_UIButtonBarButton"),
      ("NSKVONotifying_Shop.CartButton", "Shop.CartButton"), ("NSKVONotifying_确定", "确定"),
      // Hook libraries.
      ("CartButton_Aspects_", "CartButton"), ("CartButton_RACSelectorSignal", "CartButton"),
      ("CartButton_RACSwift", "CartButton"), ("_RX_namespace_CartButton", "CartButton"),
      ("st_class_CartButton", "CartButton"), ("SwiftHook_CartButton", "CartButton"),
      ("_MessageThrottle_CartButton", "CartButton"), ("CartButton_MAZeroingWeakRefSubclass", "CartButton"),
      ("InterposeKit_CartButton0123456789ABCDEF0123456789ABCDEF", "CartButton"),
      ("fir_01234567-89AB-CDEF-0123-456789ABCDEF_CartButton", "CartButton"),
      // Analytics.
      ("GIOKVONotifying_CartButton", "CartButton"),
      ("CartButton_CN.SENSORSDATA", "CartButton"), ("CartButton.7__CN.SENSORSDATA", "CartButton"),
      ("CartButton.1234__CN.SENSORSDATA", "CartButton"), ("__CN.SENSORSDATA7.CartButton", "CartButton"),
      ("__CN.SENSORSDATA.7.CartButton", "CartButton"),
    ])
  func wrapped(name: String, expected: String) {
    #expect(RuntimeSubclass.writtenClass(of: name) == expected)
  }

  @Test(
    "wrappers within wrappers are all removed",
    arguments: [
      ("NSKVONotifying_CartButton_Aspects_", "CartButton"), ("NSKVONotifying_NSKVONotifying_UIView", "UIView"),
      ("NSKVONotifying__RX_namespace_UIView", "UIView"), ("_RX_namespace_NSKVONotifying_UIView_RACSwift", "UIView"),
      ("NSKVONotifying_CartButton.7__CN.SENSORSDATA", "CartButton"),
      ("CartButton_Aspects__CN.SENSORSDATA", "CartButton"),
    ])
  func nested(name: String, expected: String) {
    #expect(RuntimeSubclass.writtenClass(of: name) == expected)
  }

  @Test(
    "a name that only looks alike stays as it is",
    arguments: [
      "", "UIView", "NSKVONotifying", "NSKVONotifying_", "MyNSKVONotifying_View", "nskvonotifying_View", "_Aspects_",
      "Cart_Aspects", "Cart_Aspects_View", "Cart_RACSwiftly", "RACSwift", "_RX_namespace_", "RX_namespace_Cart",
      "CN.SENSORSDATA", "Cart_CN.SENSORSDATA2", "__CN.SENSORSDATA.x.Cart", "__CN.SENSORSDATA..Cart",
      "__CN.SENSORSDATA7.", "fir_Cart", "fir_01234567-89AB-CDEF-0123-456789ABCDEF_",
      "fir_01234567-89AB-CDEF-0123-456789ABCDEX_Cart", "fir_0123456789AB-CDEF-0123-456789ABCDEF-_Cart",
      "InterposeKit_Cart", "InterposeKit_0123456789ABCDEF0123456789ABCDEF", "_UIAlertControllerView",
      "UIView_Previous_", "Class_With_Underscores",
    ])
  func alike(name: String) {
    #expect(RuntimeSubclass.writtenClass(of: name) == name)
  }

  @Test("a class whose own name ends in an underscore keeps it behind the new Sensors suffix")
  func ownUnderscore() {
    #expect(RuntimeSubclass.writtenClass(of: "Cart__CN.SENSORSDATA") == "Cart_")
  }

  @Test("a name of 100,000 wrappers is unwrapped")
  func hostile() {
    let name = String(repeating: "st_class_", count: 100_000) + "UIView"
    #expect(RuntimeSubclass.writtenClass(of: name) == "UIView")
  }
}
