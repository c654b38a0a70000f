// swift-tools-version: 6.1
import PackageDescription

// A separate package, because unsafe flags are refused in packages that others depend on.
let targets = [
  "ViewTree", "WebDriverAgent", "UIAutomator", "RecursiveDescription", "Capture", "Path", "Style", "Selector", "Rules",
  "Events", "CompiledRules", "Dictionary", "RuleTests", "LanguageServer", "Sessions",
  "Collect", "Visualized", "Rows", "Columns",
].map { "Fuzz\($0)" }
let libraries = [
  "EncircleAuthoring", "EncircleC", "EncircleCapture", "EncircleColumns", "EncircleDictionary", "EncircleEvents",
  "EncircleIdentity",
  "EncircleInput",
  "EncircleLanguageServer", "EncircleRuleFiles", "EncircleRules", "EncircleSDK", "EncircleSessions",
  "EncircleText", "EncircleTree",
]

let package = Package(
  name: "Fuzz",
  platforms: [.macOS(.v15)],
  dependencies: [
    // The name, as the directory of a clone may be called anything.
    .package(name: "encircle", path: "..", traits: [])
  ],
  targets: [
    .target(name: "FuzzSupport", dependencies: libraries.map { .product(name: $0, package: "encircle") })
  ]
    + targets.map { name in
      .executableTarget(
        name: name, dependencies: ["FuzzSupport"], swiftSettings: [.unsafeFlags(["-parse-as-library"])])
    }
)
