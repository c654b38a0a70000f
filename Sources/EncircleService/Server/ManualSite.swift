import EncircleInput
import EncircleText
import Foundation

/// The site of the manuals, which `make site` builds: the files of a folder, read once when the service starts.
///
/// Requests are answered from this table alone; the path in a request never becomes the path of a file.
struct ManualSite: Sendable {
  /// A file, with the first digits of its SHA-256 as its tag.
  struct File: Sendable {
    var bytes: [UInt8]
    var tag: String
    var type: String
  }

  /// The files by their paths within the folder, with `/` between the components.
  private(set) var files: [String: File] = [:]

  static let maximumFiles = 2_000
  static let maximumBytes = 64 << 20

  /// Reads a folder. Symbolic links are left out, and so are files with names or types that a site does not have.
  ///
  /// - Throws: ``ServiceStartError`` if there is no `index.html`, or if there are more files or bytes than a site has.
  init(folder: String) throws(ServiceStartError) {
    let root = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
    var left = Self.maximumBytes
    let names = FileManager.default.enumerator(atPath: root)
    while let name = names?.nextObject() as? String {
      guard names?.fileAttributes?[.type] as? FileAttributeType == .typeRegular, Self.isName(name),
        let type = Self.types[String(name.splitBytes(at: ".").last ?? "")]
      else { continue }
      do {
        var source = try ByteSource(path: root + "/" + name)
        let bytes = try source.readAll(limit: left)
        left -= bytes.count
        files[name] = File(bytes: bytes, tag: SHA256Digest(of: bytes).id, type: type)
      } catch {
        throw .input("\(folder)/\(name): \(error)", isMissing: false)
      }
      guard files.count <= Self.maximumFiles else {
        throw .input(
          "\(folder): it has more than \(Self.maximumFiles) files, so it is not a site of manuals", isMissing: false)
      }
    }
    guard files["index.html"] != nil else {
      throw .input("\(folder): there is no index.html; 'make site' makes one", isMissing: true)
    }
  }

  /// Returns whether each component of a path has only letters, digits, `-`, `_` and `.`, and does not begin with `.`.
  ///
  /// The router never takes such a component for a pattern.
  static func isName(_ path: String) -> Bool {
    path.splitBytes(at: "/", omittingEmptySubsequences: false).allSatisfy { component in
      guard let first = component.utf8.first, first != UInt8(ascii: ".") else { return false }
      return component.utf8.allSatisfy(isFilenameByte)
    }
  }

  private static let types = [
    "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
    "json": "application/json", "xml": "application/xml", "svg": "image/svg+xml", "png": "image/png",
    "txt": "text/plain; charset=utf-8",
    "yaml": "text/plain; charset=utf-8", "h": "text/plain; charset=utf-8", "java": "text/plain; charset=utf-8",
    "service": "text/plain; charset=utf-8",
  ]
}
