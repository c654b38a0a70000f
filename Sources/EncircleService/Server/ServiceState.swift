import Foundation
import Logging

/// The state that all routes share.
struct ServiceState: Sendable {
  let configuration: ServiceConfiguration
  let store: Store
  /// The threads for work that may take long.
  let workers: WorkPool
  /// The threads for questions about whole rule sets, which take long and give way to all other work.
  let analysts: WorkPool
  /// The threads that read and decide events that arrive.
  let collectors: WorkPool
  let metrics: ServiceMetrics
  let logger: Logger
  let access: Access
  let clientAddress: ClientAddress
  let captures: CaptureLibrary
  let ruleSets: RuleSetLibrary
  let events: EventLibrary
  let settings: SettingsLibrary
  let analysis: Analysis
  let drift: DriftLibrary
  let coverage: CoverageLibrary
  let plans: PlanLibrary
  let planReports: PlanReports
  let audit: AuditStore
  let visualized: VisualizedConnections
  let sdkConfigurations: SDKConfigurations
  let manuals: ManualSite?

  init(_ configuration: ServiceConfiguration, logger: Logger) throws {
    self.configuration = configuration
    self.logger = logger
    manuals = try configuration.manuals.map { folder throws(ServiceStartError) in try ManualSite(folder: folder) }
    store = try Store(
      directory: configuration.directory,
      upgrade: UpgradeReporter { progress in logger.notice("bringing the directory up to date: \(progress)") })
    metrics = ServiceMetrics()
    access = Access(store: store, configuration: configuration)
    clientAddress = ClientAddress(configuration)
    audit = AuditStore(store)
    captures = CaptureLibrary(store: store, limits: configuration.limits)
    ruleSets = try RuleSetLibrary(store: store)
    settings = try SettingsLibrary(store: store, configuration: configuration)
    let others = settings.current.membersInPlace(of: configuration)
    if !others.isEmpty {
      // Without this warning, a user could believe that a property named in the configuration is no longer stored.
      logger.warning(
        "settings made while the service ran override the configuration; PUT /v1/settings changes them",
        metadata: ["settings": "\(others.joined(separator: ", "))"])
    }
    plans = PlanLibrary(store: store, ruleSets: ruleSets)
    events = try EventLibrary(
      store: store, matchers: RuleMatchers(ruleSets: ruleSets, captures: captures), settings: settings, plans: plans,
      eventsPerRequest: configuration.limits.collectEvents, bytes: configuration.retention.bytes)
    visualized = VisualizedConnections(limits: configuration.limits)
    analysis = Analysis(
      captures: captures, ruleSets: ruleSets, events: events, live: LiveScreens(connections: visualized),
      workTime: .seconds(configuration.limits.workSeconds))
    drift = DriftLibrary(captures)
    coverage = CoverageLibrary(analysis, store)
    planReports = PlanReports(plans, analysis)
    sdkConfigurations = SDKConfigurations(ruleSets: ruleSets)
    workers = .ofService(configuration.limits)
    analysts = .ofService(configuration.limits, isInBackground: true)
    collectors = .ofService(configuration.limits)
  }

  /// All routes of the service.
  var table: RouteTable {
    var table = RouteTable()
    table.add(
      SystemRoutes(metrics: metrics) { [store] in
        try store.checkWritable()
        return "ready\n"
      })
    table.add(DescriptionRoutes())
    table.add(RuleSetRoutes(state: self))
    table.add(DraftRoutes(state: self))
    table.add(DraftRuleRoutes(state: self))
    table.add(DraftRuleBatchRoutes(state: self))
    table.add(PlanRoutes(state: self))
    table.add(PlanTableRoutes(state: self))
    table.add(DefinitionImportRoutes(state: self))
    table.add(PlanAcceptanceRoutes(state: self))
    table.add(PlanReleaseRoutes(state: self))
    table.add(SetAsideRoutes(state: self))
    table.add(SelectorRoutes(state: self))
    table.add(RuleAnalysisRoutes(state: self))
    table.add(ProposalRoutes(state: self))
    table.add(AccessRoutes(state: self))
    table.add(SettingsRoutes(state: self))
    table.add(
      CollectRoutes(
        events: events, access: access, collectors: collectors, limits: configuration.limits, metrics: metrics))
    table.add(PostHogRoutes(limits: configuration.limits))
    table.add(MatchRoutes(state: self))
    table.add(FunctionRoutes(state: self))
    table.add(EventRoutes(state: self))
    table.add(LiveRoutes(state: self))
    table.add(ReportRoutes(state: self))
    table.add(SeriesRoutes(state: self))
    table.add(CoverageRoutes(state: self))
    table.add(DriftRoutes(state: self))
    table.add(PageRoutes())
    if let manuals { table.add(ManualRoutes(site: manuals)) }
    table.add(CaptureRoutes(state: self))
    table.add(ElementRoutes(state: self))
    table.add(CircledElementRoutes(state: self))
    table.add(ScreenRoutes(state: self))
    table.add(ConnectionRoutes(state: self))
    table.add(AppMessageRoutes(state: self))
    table.add(SDKConfigurationRoutes(state: self))
    return table
  }
}
