import EncircleIdentity

/// Parses a path and checks that writing the result gives the same text.
func readPath(_ input: [UInt8]) -> CInt {
  let text = String(decoding: input, as: UTF8.self)
  var vocabulary = ClassVocabulary()
  for name in ["_", "_A", "A_", "A_B", "Cell", "a/b", "é"] { vocabulary.insert(name) }

  for notation in [nil] + PathNotation.allCases.map(Optional.some) {
    for known in [nil, vocabulary] {
      guard let path = parse(text, notation, known) else { continue }
      precondition(!path.components.isEmpty && path.components.allSatisfy { !$0.className.isEmpty })
      let notation = notation ?? (text.utf8.contains(UInt8(ascii: "/")) ? .slashes : .underscores)
      if notation == .underscores {
        precondition(
          path.written(.underscores).utf8.elementsEqual(text.utf8), "writing a parsed path gives the same bytes")
      }
      // With slashes, no path is ambiguous, whatever its class names.
      let slashes = path.written(.slashes)
      precondition(parse(slashes, .slashes, nil) == path, "parsing a written path gives the same path: \(slashes)")
    }
  }
  return 0
}

private func parse(_ text: String, _ notation: PathNotation?, _ vocabulary: ClassVocabulary?) -> ElementPath? {
  do throws(PathError) {
    return try ElementPath(parsing: text, notation: notation, vocabulary: vocabulary)
  } catch {
    switch error {
    case .emptyComponent(let offset), .badLocator(_, let offset), .unclosedQuote(let offset):
      precondition((0...text.utf8.count).contains(offset), "the place is in the text")
    case .ambiguous(let candidates, let count):
      precondition(count != 1 && candidates.count <= ElementPath.maximumCandidates)
      for candidate in candidates {
        precondition(
          notation == .slashes || candidate.written(.underscores).utf8.elementsEqual(text.utf8),
          "every candidate is a reading")
      }
    case .empty, .tooLong: break
    }
    return nil
  }
}
