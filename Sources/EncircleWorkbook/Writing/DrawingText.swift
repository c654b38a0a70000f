import EncircleTree

/// Pictures over the cells of a sheet, with numbered rings on them, as a part of a workbook.
enum DrawingText {
  /// The size of a pixel in the units of drawings (EMU).
  private static let unit = 9_525
  private static let drawing = "http://schemas.openxmlformats.org/drawingml/2006"
  private static let color = "C2185B"

  /// - Parameter pictures: The pictures with their rows, counted from 0 with the headers, and the number of their file among the
  ///   files of the sheet.
  static func text(_ pictures: [(row: Int, picture: Workbook.Picture, file: Int)]) -> String {
    var text = WorkbookWriter.head
    text += "<xdr:wsDr xmlns:xdr=\"\(drawing)/spreadsheetDrawing\" xmlns:a=\"\(drawing)/main\" "
    text += "xmlns:r=\"\(WorkbookWriter.office)\">"
    var id = 1
    for (row, picture, file) in pictures {
      let place = (row: row, column: picture.column)
      let (width, height) = (Double(picture.width), Double(picture.height))
      id += 1
      text += anchored(place, 0, 0, width, height, picturePart(id, picture, relation: file))
      var numbered: Set<Int> = []
      for ring in picture.rings {
        let frame = ring.frame
        id += 1
        text += anchored(
          place, frame.x, frame.y, frame.width, frame.height, shape(id, "rect", frame.width, frame.height, label: nil))
        // All elements of a list share a number, which is shown at the first of them.
        guard numbered.insert(ring.number).inserted else { continue }
        id += 1
        let size = 18.0
        let x = min(max(frame.x - size / 2, 0), max(width - size, 0))
        let y = min(max(frame.y - size / 2, 0), max(height - size, 0))
        text += anchored(place, x, y, size, size, shape(id, "ellipse", size, size, label: "\(ring.number)"))
      }
    }
    return text + "</xdr:wsDr>"
  }

  /// Returns pixels in the units of drawings, clamped to the range of a drawing, because frames in captures may have any size.
  private static func emu(_ pixels: Double) -> Int {
    pixels.isFinite ? Int((min(max(pixels, 0), 100_000) * Double(unit)).rounded()) : 0
  }

  private static func anchored(
    _ place: (row: Int, column: Int), _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ part: String
  ) -> String {
    "<xdr:oneCellAnchor><xdr:from><xdr:col>\(place.column)</xdr:col><xdr:colOff>\(emu(x + 3))</xdr:colOff>"
      + "<xdr:row>\(place.row)</xdr:row>"
      + "<xdr:rowOff>\(emu(y + 3))</xdr:rowOff></xdr:from><xdr:ext cx=\"\(emu(width))\" cy=\"\(emu(height))\"/>"
      + part + "<xdr:clientData/></xdr:oneCellAnchor>"
  }

  private static func transform(_ width: Double, _ height: Double, _ shape: String) -> String {
    "<a:xfrm><a:off x=\"0\" y=\"0\"/><a:ext cx=\"\(emu(width))\" cy=\"\(emu(height))\"/></a:xfrm>"
      + "<a:prstGeom prst=\"\(shape)\"><a:avLst/></a:prstGeom>"
  }

  private static func picturePart(_ id: Int, _ picture: Workbook.Picture, relation: Int) -> String {
    var text = "<xdr:pic><xdr:nvPicPr><xdr:cNvPr id=\"\(id)\" name=\"Picture \(id)\"/><xdr:cNvPicPr/></xdr:nvPicPr>"
    text += "<xdr:blipFill><a:blip r:embed=\"rId\(relation)\"/>"
    if let part = picture.part {
      // Returns the part to cut off at a side, in thousandths of a percent.
      func cut(_ share: Double) -> Int { share.isFinite ? Int(min(max(share, 0), 1) * 100_000) : 0 }
      text += "<a:srcRect l=\"\(cut(part.x))\" t=\"\(cut(part.y))\" r=\"\(cut(1 - part.x - part.width))\" "
      text += "b=\"\(cut(1 - part.y - part.height))\"/>"
    }
    text += "<a:stretch><a:fillRect/></a:stretch></xdr:blipFill><xdr:spPr>"
    return text + transform(Double(picture.width), Double(picture.height), "rect") + "</xdr:spPr></xdr:pic>"
  }

  /// Returns the XML of a ring, or of a round label.
  private static func shape(_ id: Int, _ kind: String, _ width: Double, _ height: Double, label: String?) -> String {
    let color = "<a:solidFill><a:srgbClr val=\"\(color)\"/></a:solidFill>"
    var text =
      "<xdr:sp macro=\"\" textlink=\"\"><xdr:nvSpPr><xdr:cNvPr id=\"\(id)\" name=\"Ring \(id)\"/><xdr:cNvSpPr/>"
    text += "</xdr:nvSpPr><xdr:spPr>\(transform(width, height, kind))\(label == nil ? "<a:noFill/>" : color)"
    text += "<a:ln w=\"19050\">\(color)</a:ln></xdr:spPr>"
    text +=
      "<xdr:txBody><a:bodyPr lIns=\"0\" tIns=\"0\" rIns=\"0\" bIns=\"0\" anchor=\"ctr\"/><a:p><a:pPr algn=\"ctr\"/>"
    if let label {
      text +=
        "<a:r><a:rPr lang=\"en\" sz=\"900\" b=\"1\"><a:solidFill><a:srgbClr val=\"FFFFFF\"/></a:solidFill></a:rPr>"
      text += "<a:t>\(label)</a:t></a:r>"
    }
    return text + "</a:p></xdr:txBody></xdr:sp>"
  }
}
