import FuzzSupport

/// Streams of messages to the language server, and documents with requests at every place.
@main
enum FuzzLanguageServer {
  static func main() {
    fuzz { start, count in serve(bytes(start, count)) }
  }
}
