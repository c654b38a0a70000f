import EncircleCapture
import EncircleDrift
import EncircleTree
import Testing

/// The texts and names of web pages that are compared.
@Suite struct PageNamesTests {
  @Test("texts of a page are those that it shows itself: not what people type, nor scripts and styles")
  func texts() throws {
    let html = """
      <!doctype html><html><head><title>T</title><style>p { color: red }</style></head><body>
      <p> More <b>bold</b>
      here </p><div contenteditable><p>typed</p><span contenteditable="false">fixed</span></div>
      <textarea placeholder="Note">typed</textarea><input type="submit" value="Send"><input type="text" value="typed">
      <script>run()</script></body></html>
      """
    let page = try CaptureReader().read(Array(html.utf8))
    let names = try #require(PageNames(page))
    let texts = page.elements.compactMap { names.value(.text, of: $0) }
    #expect(texts == ["T", "More here", "bold", "fixed", "Note", "Send"])
  }

  @Test("the label is the one for people who cannot see, and the identifier is the id before others")
  func names() throws {
    let html = """
      <!doctype html><body><button id="pay" name="p" title="Pay now" aria-label="Pay"></button><img alt="Tea">
      <input name="street"></body>
      """
    let page = try CaptureReader().read(Array(html.utf8))
    let names = try #require(PageNames(page))
    #expect(page.elements.compactMap { names.value(.label, of: $0) } == ["Pay", "Tea"])
    #expect(page.elements.compactMap { names.value(.identifier, of: $0) } == ["pay", "street"])
  }
}
