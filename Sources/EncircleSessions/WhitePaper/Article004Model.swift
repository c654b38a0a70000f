/// The starts and ends that an article describes; the rest is that of ``WhitePaperModel``.
///
/// A hot start is becoming active after entering the foreground, the cold one comes at the end of launching, and pages of a
/// launch in the background do not count.
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
