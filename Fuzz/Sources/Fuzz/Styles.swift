import EncircleIdentity

/// Reads a path in every style, and checks that writing the result gives the same text.
func readStyles(_ input: [UInt8]) -> CInt {
  let text = String(decoding: input, as: UTF8.self)
  for name in PathStyleName.allCases where name != .hubbleData {
    do throws(PathStyleError) {
      let paths = try name.style.read(text)
      precondition(paths.count == 1 && !paths[0].components.isEmpty)
      let path = paths[0]
      precondition(path.components.allSatisfy { !$0.className.isEmpty })
      let written = path.written
      if name.isWeb {
        // A chain may have several readings, and long paths and paths that stand for selectors are shortened.
        _ = try? name.style.read(written)
        continue
      }
      // PostHog's attributes are read in any order, but written in a fixed one.
      if name != .postHog { precondition(written.utf8.elementsEqual(text.utf8), "writing a path gives the same bytes") }
      do throws(PathStyleError) {
        let again = try name.style.read(written)
        precondition(again == paths, "reading a written path gives the same path")
      } catch {
        preconditionFailure("what was written is a path: \(error)")
      }
      guard path.components.count <= 100 else { continue }
      for other in PathStyleName.allCases { _ = PathConversion.direct(path, to: other)?.path.written }
    } catch {
      precondition(
        (0...max(text.utf8.count, ElementPath.maximumLength)).contains(error.offset), "the place is in the text")
      precondition(!error.message.isEmpty)
    }
  }
  return 0
}
