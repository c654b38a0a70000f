// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Library",
  platforms: [.macOS(.v15)],
  dependencies: [
    // A path needs this name, because a clone may be in a directory of any name. A URL needs none.
    .package(name: "encircle", path: "../..", traits: [])
  ],
  targets: [
    // Quickstart is the program in docs/library.md. Each of the others uses no more of Encircle than it needs; libxml2 is linked to ResolveCapture only.
    .executableTarget(name: "Quickstart", dependencies: [.product(name: "Encircle", package: "encircle")]),
    .executableTarget(name: "TreeOnly", dependencies: [.product(name: "EncircleTree", package: "encircle")]),
    .executableTarget(
      name: "Identities",
      dependencies: [
        .product(name: "EncircleTree", package: "encircle"), .product(name: "EncircleIdentity", package: "encircle"),
      ]),
    .executableTarget(
      name: "ResolveCapture",
      dependencies: [
        .product(name: "EncircleCapture", package: "encircle"), .product(name: "EncircleIdentity", package: "encircle"),
        .product(name: "EncircleTree", package: "encircle"),
      ]),
    .executableTarget(
      name: "DecideEvents",
      dependencies: [
        .product(name: "EncircleEvents", package: "encircle"), .product(name: "EncircleRules", package: "encircle"),
      ]),
    .executableTarget(
      name: "CheckRules",
      dependencies: [
        .product(name: "EncircleAuthoring", package: "encircle"),
        .product(name: "EncircleRuleFiles", package: "encircle"),
      ]),
    .executableTarget(
      name: "MatchEvents",
      dependencies: [
        .product(name: "EncircleEvents", package: "encircle"), .product(name: "EncircleRuleFiles", package: "encircle"),
        .product(name: "EncircleRules", package: "encircle"),
      ]),
  ]
)
