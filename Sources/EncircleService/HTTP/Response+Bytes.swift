import Hummingbird
import NIOCore

extension Response {
  /// Creates an answer with a body of a media type.
  ///
  /// - Parameter file: The name under which browsers save the body; nil if they show it.
  init(
    _ body: some Sequence<UInt8>, _ type: String, saveAs file: String? = nil, status: HTTPResponse.Status = .ok,
    headers: HTTPFields = [:]
  ) {
    var headers = headers
    headers[.contentType] = type
    if let file { headers[.contentDisposition] = "attachment; filename=\"\(file)\"" }
    self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
  }
}
