// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "encircle",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "EncircleTree", targets: ["EncircleTree"]),
    .library(name: "EncircleCapture", targets: ["EncircleCapture"]),
    .library(name: "EncircleIdentity", targets: ["EncircleIdentity"]),
    .library(name: "EncircleInput", targets: ["EncircleInput"]),
    .library(name: "EncircleEvents", targets: ["EncircleEvents"]),
    .executable(name: "encircle", targets: ["encircle"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
  ],
  targets: [
    // System libraries.
    .systemLibrary(
      name: "CLibxml2", pkgConfig: "libxml-2.0",
      providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),

    // files, pipes and gzip -> bytes
    .target(name: "EncircleInput", dependencies: ["CZlib"]),

    // capture -> tree -> path -> ID
    .target(
      name: "EncircleTree",
      resources: [
        .embedInCode("Classes/UIKit.classes"), .embedInCode("Classes/Android.classes"),
      ]),
    .target(name: "EncircleCapture", dependencies: ["EncircleInput", "EncircleTree", "CLibxml2"]),
    .target(
      name: "EncircleIdentity",
      dependencies: ["EncircleTree", .product(name: "Crypto", package: "swift-crypto")]),

    // bytes -> events
    .target(name: "EncircleEvents", dependencies: ["EncircleInput", "EncircleTree"]),

    .executableTarget(
      name: "encircle",
      dependencies: [
        "EncircleCapture", "EncircleIdentity",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),

    .testTarget(
      name: "EncircleEventsTests", dependencies: ["CZlib", "EncircleEvents", "EncircleInput", "EncircleTree"]),
  ]
)
