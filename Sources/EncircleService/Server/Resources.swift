import CServiceResources
import Foundation

/// The files that are embedded in the program.
enum Resources {
  static var paths: [String] { Array(byPath.keys) }

  /// Returns the bytes of a file, without copying; nil if the file does not exist.
  static func file(_ path: String) -> Data? { byPath[path] }

  private static let byPath: [String: Data] = Dictionary(
    uniqueKeysWithValues: (0..<service_resource_count()).map { index in
      let file = service_resource_at(index)!.pointee
      let bytes = UnsafeMutableRawPointer(mutating: file.bytes!)
      return (String(cString: file.path), Data(bytesNoCopy: bytes, count: file.count, deallocator: .none))
    })
}
