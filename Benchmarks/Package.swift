// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "encircle-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "encircle", path: "..", traits: [])],
  targets: [
    .executableTarget(
      name: "bench-captures",
      dependencies: [
        .product(name: "EncircleCapture", package: "encircle"),
        .product(name: "EncircleIdentity", package: "encircle"),
        .product(name: "EncircleText", package: "encircle"),
        .product(name: "EncircleTree", package: "encircle"),
      ]),
    .executableTarget(
      name: "bench-drift",
      dependencies: [
        .product(name: "EncircleDrift", package: "encircle"),
        .product(name: "EncircleTree", package: "encircle"),
      ]),
    .executableTarget(
      name: "bench-rules",
      dependencies: [
        .product(name: "EncircleEvents", package: "encircle"),
        .product(name: "EncircleInput", package: "encircle"),
        .product(name: "EncircleRules", package: "encircle"),
        .product(name: "EncircleText", package: "encircle"),
      ]),
  ]
)
