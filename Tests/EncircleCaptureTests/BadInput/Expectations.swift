import EncircleCapture
import EncircleText
import EncircleTree

/// Returns the error that reading a capture throws, or nil if it can be read.
func readingError(
  _ capture: [UInt8], format: CaptureFormat? = nil, limits: CaptureLimits = CaptureLimits()
) -> CaptureError? {
  var reader = CaptureReader(format: format)
  reader.limits = limits
  do throws(CaptureError) {
    _ = try reader.read(capture)
    return nil
  } catch {
    return error
  }
}

/// Returns a text without the `^` that marks a place in it, and that place.
func unmarked(_ marked: String) -> (text: [UInt8], location: SourceLocation?) {
  var bytes = Array(marked.utf8)
  guard let offset = bytes.firstIndex(of: UInt8(ascii: "^")) else { return (bytes, nil) }
  bytes.remove(at: offset)
  return (bytes, bytes.withUnsafeBufferPointer { SourceLocation(of: offset, in: $0) })
}

extension CaptureError.Kind {
  /// The name of the case, without the values, which may be texts of libxml2 or zlib.
  var name: String { String(String(describing: self).prefix { $0 != "(" }) }
}
