import EncircleDictionary
import EncircleIdentity
import EncircleTree
import Foundation

/// Opens a changed dictionary file, and runs every query on it.
func readDictionary(_ input: [UInt8]) -> CInt {
  let path = scratchFolder + "/changed"
  guard FileManager.default.createFile(atPath: path, contents: Data(Edits(input: input).applied(to: dictionaryFile)))
  else { preconditionFailure("no scratch file") }
  do throws(DictionaryError) {
    let reader = try DictionaryReader(path: path)
    var ids: [EventID] = []
    attempt { () throws(DictionaryError) in
      try reader.forEach { element in
        ids.append(element.eventID)
        precondition(!element.identity.isEmpty)
      }
    }
    for id in ids.prefix(4) {
      attempt { () throws(DictionaryError) in _ = try reader.elements(with: id) }
      attempt { () throws(DictionaryError) in _ = try reader.elements(withPrefix: String("\(id)".prefix(9))) }
    }
    for style in [PathStyleName.hubbleData, .sensors] {
      attempt { () throws(DictionaryError) in _ = try reader.load(style: style) }
    }
    attempt { () throws(DictionaryError) in _ = try DictionaryStatistics(of: reader) }
    attempt { () throws(DictionaryError) in _ = try reader.count() }
    _ = reader.allCaptures
  } catch {
    precondition(!error.description.isEmpty)
  }
  return 0
}

private func attempt(_ body: () throws(DictionaryError) -> Void) {
  do throws(DictionaryError) {
    try body()
  } catch {
    precondition(!error.description.isEmpty)
  }
}

/// A folder in memory, if the system has a place for it. It stays behind when the process ends.
let scratchFolder: String = {
  let memory = "/dev/shm"
  let parent = FileManager.default.isWritableFile(atPath: memory) ? memory : NSTemporaryDirectory()
  let path = parent + "/encircle-fuzz-\(ProcessInfo.processInfo.processIdentifier)"
  try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  return path
}()

/// A dictionary of a small screen, and of the same screen with another class, so that there are two captures.
private let dictionaryFile: [UInt8] = {
  let path = scratchFolder + "/dictionary"
  do {
    let writer = try DictionaryWriter(path: path)
    for name in ["ProductCell", "OrderCell"] { _ = try writer.add(screen(cell: name), capture: "\(name).xml") }
    try writer.finish()
    guard let data = FileManager.default.contents(atPath: path) else { preconditionFailure("no dictionary") }
    return [UInt8](data)
  } catch {
    preconditionFailure("\(error)")
  }
}()

private func screen(cell: String) -> IdentifiedTree {
  var builder = ViewTree.Builder(format: .viewTree)
  builder.beginElement(class: "UIWindow")
  builder.beginElement(class: "UITableView")
  builder.addAttribute(.controller, "HomeViewController")
  for row in 0..<3 {
    builder.beginElement(class: cell)
    builder.addAttribute(.superclasses, "UITableViewCell UIView")
    builder.addAttribute(.indexPath, "0 \(row)")
    builder.beginElement(class: "UIButton")
    builder.addAttribute(.title, "加入")
    builder.endElement()
    builder.endElement()
  }
  return IdentifiedTree(builder.finish())
}
