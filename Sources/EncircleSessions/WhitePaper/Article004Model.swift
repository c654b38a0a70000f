/// A model with starts and ends by the statements S1 to S18 in docs/articles.md; the rest is the same as in ``WhitePaperModel``.
///
/// A hot start happens when the app becomes active after entering the foreground, the cold start at the end of launching. An end
/// requires a resignation. Starts state whether they are the first and whether they resume; all events state whether it is the
/// first day.
public struct Article004Model: SDKModel {
  private var model: WhitePaperModel

  public init(configuration: SessionConfiguration, limits: SessionLimits) throws(SessionModelError) {
    model = try WhitePaperModel(configuration, limits, .article004)
  }

  public var life: Int { model.life }

  public mutating func perform(_ signal: Signal, into output: inout ReplayOutput) throws(SessionModelError) {
    try model.perform(signal, into: &output)
  }
}
