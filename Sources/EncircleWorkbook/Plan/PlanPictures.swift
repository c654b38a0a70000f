import EncircleAuthoring
import EncircleText
import EncircleTree

/// The pictures of a workbook's rows: for each event the planned picture, or the part of a screen that shows one of its elements.
struct PlanPictures {
  /// The largest picture of a screen, in pixels, which fits the highest row.
  private static let screenSize = (width: 300.0, height: 530.0)
  /// The largest picture of an event.
  private static let eventSize = (width: 210.0, height: 160.0)
  /// The width of the column of events' pictures, in characters.
  static let columnWidth = 31
  /// The minimum height of the shown part of a screen, as a multiple of the screen's width.
  private static let minimumHeight = 0.45

  private let planned: [UTF8String: Screenshot]
  /// The first screen with a picture that shows each event, and the number of its rings there.
  private var places: [UTF8String: (screen: BoardReport.Sheet, number: Int)] = [:]

  init(_ planned: [UTF8String: Screenshot], _ board: BoardReport?) {
    self.planned = planned
    for screen in board?.sheets ?? [] where screen.picture?.screenshot != nil {
      for row in screen.rows {
        guard let number = row.number, places[UTF8String(row.event)] == nil else { continue }
        places[UTF8String(row.event)] = (screen, number)
      }
    }
  }

  /// The picture of an event; nil if there is none.
  subscript(event: UTF8String) -> Workbook.Picture? {
    if let picture = planned[event] {
      let size = (width: Double(picture.width), height: Double(picture.height))
      return Self.picture(
        UTF8String("event \(event.text)"), picture, size, Frame(x: 0, y: 0, width: size.width, height: size.height),
        [], within: Self.eventSize)
    }
    guard let (screen, number) = places[event], let picture = screen.picture, let screenshot = picture.screenshot,
      let ring = screen.rings.first(where: { $0.number == number })
    else { return nil }
    return Self.picture(
      Self.name(screen), screenshot, (picture.width, picture.height), Self.surroundings(of: ring.frame, in: picture),
      [ring], within: Self.eventSize)
  }

  /// Returns the picture of a whole screen, with all rings; nil if there is none.
  static func picture(of screen: BoardReport.Sheet) -> Workbook.Picture? {
    guard let picture = screen.picture, let screenshot = picture.screenshot else { return nil }
    return Self.picture(
      name(screen), screenshot, (picture.width, picture.height),
      Frame(x: 0, y: 0, width: picture.width, height: picture.height), screen.rings, within: screenSize)
  }

  private static func name(_ screen: BoardReport.Sheet) -> UTF8String { UTF8String("screen \(screen.number)") }

  /// Returns a band around an element, as wide as the screen.
  private static func surroundings(of frame: Frame, in picture: BoardReport.Picture) -> Frame {
    let height = min(max(frame.height * 1.5, picture.width * minimumHeight), picture.height)
    let y = min(max(frame.y + frame.height / 2 - height / 2, 0), picture.height - height)
    return Frame(x: 0, y: y, width: picture.width, height: height)
  }

  /// - Parameters:
  ///   - size: The size of all of the picture, in the units of the other frames.
  ///   - part: The part to show.
  private static func picture(
    _ name: UTF8String, _ screenshot: Screenshot, _ size: (width: Double, height: Double), _ part: Frame,
    _ rings: [BoardReport.Ring], within most: (width: Double, height: Double)
  ) -> Workbook.Picture? {
    let scale = min(most.width / part.width, most.height / part.height)
    guard part.width > 0, part.height > 0, scale.isFinite, scale > 0 else { return nil }
    let isWhole = part.width >= size.width && part.height >= size.height
    return Workbook.Picture(
      name: name, screenshot: screenshot,
      part: isWhole
        ? nil
        : Frame(
          x: part.x / size.width, y: part.y / size.height, width: part.width / size.width,
          height: part.height / size.height),
      width: max(1, Int(part.width * scale)), height: max(1, Int(part.height * scale)),
      rings: rings.map { ring in
        let frame = ring.frame
        return (
          number: ring.number,
          frame: Frame(
            x: (frame.x - part.x) * scale, y: (frame.y - part.y) * scale, width: frame.width * scale,
            height: frame.height * scale)
        )
      })
  }
}
