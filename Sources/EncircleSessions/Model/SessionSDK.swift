/// The SDKs that are modelled.
public enum SessionSDK: String, CaseIterable, Sendable {
  /// sa-sdk-ios 4.8.
  case sensors
  /// What the white paper on autocapture describes.
  case whitepaper
  /// The same, with the starts and ends of another article.
  case article004
  /// NetEase HubbleData.
  case hubbledata
  /// NetEase Lede.
  case lede

  /// The model.
  public var model: any SDKModel.Type {
    switch self {
    case .sensors: SensorsModel.self
    case .whitepaper: WhitePaperModel.self
    case .article004: Article004Model.self
    case .hubbledata: HubbleDataModel.self
    case .lede: LedeModel.self
    }
  }
}
