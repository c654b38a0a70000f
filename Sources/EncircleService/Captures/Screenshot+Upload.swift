import EncircleAuthoring
import Foundation

extension Screenshot {
  /// Reads an uploaded picture.
  ///
  /// - Throws: ``ServiceError`` with 415 for anything other than PNG or JPEG, or 422 if the picture is broken or too large.
  init(uploaded bytes: [UInt8]) throws {
    do throws(Problem) { try self.init(bytes) } catch {
      func invalid(_ message: String) -> ServiceError {
        .invalid(message, code: "bad-screenshot", location: .init(parameter: "screenshot"))
      }
      switch error {
      case .unknownKind:
        throw ServiceError(
          .unsupportedType, code: "bad-screenshot", message: "The screenshot is neither PNG nor JPEG.",
          location: .init(parameter: "screenshot"))
      case .withoutSize: throw invalid("The screenshot is broken: it does not state its size.")
      case .tooLarge: throw invalid("The screenshot has more than \(Self.maximumPixels) pixels.")
      case .cutOff: throw invalid("The screenshot is cut off.")
      }
    }
  }

  /// The tolerance between the aspect ratios of a picture and its screen, because bars may be cut off by a pixel or two.
  private static let ratioTolerance = 0.03

  /// Refuses a picture that cannot show the screen, because every element would be outlined at a wrong place.
  ///
  /// - Throws: ``ServiceError`` with 422 and both sizes.
  func check(fits record: CaptureRecord) throws {
    guard let wide = record.width, let high = record.height, wide > 0, high > 0 else { return }
    let factor = Double(width) / Double(height) * high / wide
    guard abs(factor - 1) > Self.ratioTolerance else { return }
    func text(_ number: Double) -> String { String(format: "%g", number) }
    throw ServiceError.invalid(
      "The screenshot is \(width) × \(height), and the screen \(text(wide)) × \(text(high)): a picture of it has another ratio.",
      code: "bad-screenshot", location: .init(parameter: "screenshot"))
  }

  /// The screenshot in stored form.
  var stored: StoredScreenshot {
    StoredScreenshot(
      type: kind.rawValue, width: width, height: height, etag: SHA256Digest(of: bytes).id, content: Data(bytes))
  }
}
