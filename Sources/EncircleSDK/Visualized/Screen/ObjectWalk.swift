import EncircleText

/// The objects of a payload that can be reached from the window, in pre-order. Each is visited once, even in a broken payload:
/// a view that two objects list is in the first of them, and a cycle is cut where it closes.
struct ObjectWalk {
  /// The numbers of the objects, in pre-order.
  private(set) var order: [Int] = []
  /// For each object in `order`, the position in `order` of the object that lists it; -1 for the window.
  private(set) var parents: [Int] = []
  /// For each object in `order`, the position after its last descendant.
  private(set) var ends: [Int] = []
  /// The number of ids in `subelements` that no object has.
  private(set) var missing = 0
  /// The number of ids in `subelements` whose objects were visited before.
  private(set) var repeated = 0
  /// The number of objects that lie too deep, without their descendants.
  private(set) var tooDeep = 0

  /// - Complexity: O(*n* log *n*), *n* objects and ids.
  init(_ payload: SnapshotPayload, levels: Int) {
    guard let root = payload.root else { return }
    var isSeen = Array(repeating: false, count: payload.objects.count)
    var stack = [(object: root, parent: -1, depth: 0)]
    isSeen[root] = true
    var depths: [Int] = []
    while let (object, parent, depth) = stack.popLast() {
      let place = order.count
      order.append(object)
      parents.append(parent)
      depths.append(depth)
      var children: [Int] = []
      for id in payload.objects[object].subelements {
        guard let child = payload.numbers[UTF8String(id)] else {
          missing += 1
          continue
        }
        if isSeen[child] {
          repeated += 1
        } else if depth + 1 >= levels {
          tooDeep += 1
        } else {
          isSeen[child] = true
          children.append(child)
        }
      }
      Self.sort(&children, payload)
      for child in children.reversed() { stack.append((child, place, depth + 1)) }
    }
    ends = Array(repeating: 0, count: order.count)
    for place in order.indices.reversed() {
      if ends[place] == 0 { ends[place] = place + 1 }
      if parents[place] >= 0, ends[parents[place]] == 0 { ends[parents[place]] = ends[place] }
    }
  }

  /// Puts the topmost objects last, if all of them state their level.
  private static func sort(_ children: inout [Int], _ payload: SnapshotPayload) {
    let levels = children.compactMap { payload.objects[$0].level }
    guard levels.count == children.count, zip(levels, levels.dropFirst()).contains(where: { $0 > $1 }) else { return }
    children = zip(levels, children).stablySorted { [$0.0] }.map(\.1)
  }

  /// Returns the places of the objects that an object lists.
  func children(of place: Int) -> [Int] {
    var children: [Int] = []
    var child = place + 1
    while child < ends[place] {
      children.append(child)
      child = ends[child]
    }
    return children
  }
}
