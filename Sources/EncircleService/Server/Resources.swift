import CServiceResources
import Foundation

/// The files that the program carries in itself.
enum Resources {
  static var paths: [String] { Array(byPath.keys) }

  /// The bytes of a file, which are not copied; nil if the file does not exist.
  static func file(_ path: String) -> Data? { byPath[path] }

  private static let byPath: [String: Data] = Dictionary(
    uniqueKeysWithValues: (0..<service_resource_count()).map { index in
      let file = service_resource_at(index)!.pointee
      let bytes = UnsafeMutableRawPointer(mutating: file.bytes!)
      return (String(cString: file.path), Data(bytesNoCopy: bytes, count: file.count, deallocator: .none))
    })
}
