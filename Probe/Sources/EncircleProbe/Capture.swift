#if canImport(UIKit)
  import Foundation

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// The screen at one moment: its views as view-tree XML, and a picture of it.
  public struct Capture: Sendable {
    /// The name of the files, without their extensions.
    public let name: String
    /// The views of all windows, as view-tree XML.
    public let xml: String
    /// A picture of the screen in the PNG format; nil if none was made.
    public let png: Data?

    /// The name of the XML's file.
    public var xmlName: String { name + ".xml" }
    /// The name of the picture's file, as the XML has it.
    public var pngName: String { name + ".png" }

    /// Writes the XML, and the picture beside it.
    ///
    /// - Returns: The file with the XML.
    @discardableResult
    public func write(to directory: URL) throws -> URL {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      let file = directory.appendingPathComponent(xmlName)
      try Data(xml.utf8).write(to: file, options: .atomic)
      if let png { try png.write(to: directory.appendingPathComponent(pngName), options: .atomic) }
      return file
    }

    /// Returns the request that sends the capture.
    ///
    /// It is a POST. Without a picture its body is the XML, of type `application/xml`. With one it is a form of type
    /// `multipart/form-data` (RFC 7578) with two files: `capture`, the XML, and `screenshot`, of type `image/png`.
    ///
    /// - Parameters:
    ///   - url: The destination: `http://localhost:8080/v1/captures` for the service of `encircle serve`.
    ///   - token: A token of the service that may author; none for a service without tokens.
    public func request(to url: URL, token: String? = nil) -> URLRequest {
      var request = URLRequest(url: url)
      request.httpMethod = "POST"
      if let token { request.setValue("Bearer " + token, forHTTPHeaderField: "Authorization") }
      guard let png else {
        request.setValue("application/xml; charset=utf-8", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data(xml.utf8)
        return request
      }
      // It has 122 random bits, so that the files do not contain it.
      let boundary = "encircle-" + UUID().uuidString
      var body = Data()
      func addFile(_ field: String, _ fileName: String, type: String, _ content: Data) {
        body += Data("--\(boundary)\r\n".utf8)
        body += Data("Content-Disposition: form-data; name=\"\(field)\"; filename=\"\(fileName)\"\r\n".utf8)
        body += Data("Content-Type: \(type)\r\n\r\n".utf8)
        body += content
        body += Data("\r\n".utf8)
      }
      addFile("capture", xmlName, type: "application/xml; charset=utf-8", Data(xml.utf8))
      addFile("screenshot", pngName, type: "image/png", png)
      body += Data("--\(boundary)--\r\n".utf8)
      request.setValue("multipart/form-data; boundary=\(boundary)", forHTTPHeaderField: "Content-Type")
      request.httpBody = body
      return request
    }

    /// Returns a name that only has ASCII letters, digits, `-`, `_` and `.`, so that it can be the name of a file and be part of
    /// a header.
    static func fileName(_ name: String) -> String {
      let characters = name.unicodeScalars.map { scalar -> Character in
        let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        return isPlain || scalar == "-" || scalar == "_" || scalar == "." ? Character(scalar) : "-"
      }
      return characters.isEmpty || characters.allSatisfy { $0 == "." } ? "capture" : String(characters.prefix(100))
    }
  }
#endif
