// swift-tools-version: 6.1
import PackageDescription

// A separate package, because every module of its build is instrumented.
let libraries = [
  "EncircleAuthoring", "EncircleC", "EncircleCapture", "EncircleColumns", "EncircleDictionary", "EncircleEvents",
  "EncircleIdentity", "EncircleInput", "EncircleLanguageServer", "EncircleRuleFiles", "EncircleRules", "EncircleSDK",
  "EncircleSessions", "EncircleText", "EncircleTree",
]

let package = Package(
  name: "Fuzz",
  platforms: [.macOS(.v15)],
  dependencies: [
    // The name, as the directory of a clone may be called anything.
    .package(name: "encircle", path: "..", traits: [])
  ],
  targets: [
    .executableTarget(name: "Fuzz", dependencies: libraries.map { .product(name: $0, package: "encircle") })
  ]
)
