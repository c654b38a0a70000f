/// Finds the controllers of views by the addresses of the views, and counts the controllers whose views the capture lacks.
struct ControllerJoin {
  private let controllers: [UInt64: (className: [UInt8], isOnScreen: Bool)]
  private var found: Set<UInt64> = []

  init(_ hierarchy: ControllerHierarchy?) { controllers = hierarchy?.controllers ?? [:] }

  /// This is true if the list names no controller.
  var isEmpty: Bool { controllers.isEmpty }

  /// Returns the class of the controller of the view at an address, or nil if it has none.
  mutating func controller(ofViewAt address: UInt64?) -> [UInt8]? {
    guard let address, let controller = controllers[address] else { return nil }
    found.insert(address)
    return controller.className
  }

  /// The number of controllers whose views are on the screen but have not been found.
  var missing: Int { controllers.count { $0.value.isOnScreen && !found.contains($0.key) } }
}
