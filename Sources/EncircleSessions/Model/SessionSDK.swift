/// The SDKs that have a model.
public enum SessionSDK: String, CaseIterable, Sendable {
  /// sa-sdk-ios 4.8.
  case sensors
  /// The simple SDK of the statements W1 to W48 in docs/articles.md.
  case whitepaper
  /// The same SDK, but with starts and ends by the statements S1 to S18 in docs/articles.md.
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
