import EncircleText
import Testing

@Suite struct FilePathTests {
  @Test(
    "a path has a folder and a name, which join to the path again",
    arguments: [
      ("c", "", "c"), ("/c", "/", "c"), ("a/b", "a", "b"), ("/a/b.yaml", "/a", "b.yaml"), ("a//b", "a", "b"),
      ("a/b/", "a", "b"), ("", "", ""), ("/", "/", ""), ("./é", ".", "é"), ("e\u{301}/\u{301}", "e\u{301}", "\u{301}"),
    ])
  func parts(path: String, folder: String, name: String) {
    #expect(Array(FilePath.folder(of: path).utf8) == Array(folder.utf8))
    #expect(Array(FilePath.name(of: path).utf8) == Array(name.utf8))
  }

  @Test("a file in a folder", arguments: [("", "a", "a"), ("/", "a", "/a"), ("a", "b", "a/b"), ("a/", "b", "a/b")])
  func joining(folder: String, name: String, path: String) {
    #expect(FilePath.joining(folder, name) == path)
  }
}
