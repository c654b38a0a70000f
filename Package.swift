// swift-tools-version: 6.1
import PackageDescription

// Half of the time that a dynamically linked tool takes to start is spent on looking up the runtime's symbols. Foundation
// names the libraries behind it only to a compiler that links it statically, and two of them need each other.
let staticRuntime = [
  "-static-stdlib", "-Xlinker", "--start-group", "-lCoreFoundation", "-l_FoundationICU", "-l_FoundationCShims",
  "-l_FoundationCollections", "-Xlinker", "--end-group",
]

// `make library` reads rules only from memory and does not link Foundation, which finds files. This is not a trait,
// because packages that leave out the service with `traits: []` still read files.
let readsFiles = Context.environment["ENCIRCLE_FILES"] != "0"
// The library does not start threads either: that is left to the program that uses it.
let files: [SwiftSetting] = readsFiles ? [.define("FILES")] : []
let threads: [SwiftSetting] = readsFiles ? [.define("THREADS")] : []

// Scripts/package compiles the modules that process no event streams for size: they are a third of the tool's own code. Other
// builds do not, because SwiftPM refuses a dependency with unsafe flags.
let smallWhenPackaged: [SwiftSetting] = Context.environment["ENCIRCLE_SMALL"] == "1" ? [.unsafeFlags(["-Osize"])] : []

let package = Package(
  name: "encircle",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    // All that a backend needs. The other products are its parts, for smaller programs, and modules for authors of rules.
    .library(name: "Encircle", targets: ["Encircle"]),
    .library(name: "EncircleText", targets: ["EncircleText"]),
    .library(name: "EncircleTree", targets: ["EncircleTree"]),
    .library(name: "EncircleCapture", targets: ["EncircleCapture"]),
    .library(name: "EncircleIdentity", targets: ["EncircleIdentity"]),
    .library(name: "EncircleDrift", targets: ["EncircleDrift"]),
    .library(name: "EncircleDictionary", targets: ["EncircleDictionary"]),
    .library(name: "EncircleInput", targets: ["EncircleInput"]),
    .library(name: "EncircleEvents", targets: ["EncircleEvents"]),
    .library(name: "EncircleRules", targets: ["EncircleRules"]),
    .library(name: "EncircleRuleFiles", targets: ["EncircleRuleFiles"]),
    .library(name: "EncircleColumns", targets: ["EncircleColumns"]),
    // For C and languages that can call it, with the header Sources/CEncircle/encircle.h; `make library` builds libencircle.so.
    .library(name: "EncircleC", targets: ["EncircleC"]),
    .library(name: "EncircleShared", type: .dynamic, targets: ["EncircleC"]),
    .library(name: "EncircleAuthoring", targets: ["EncircleAuthoring"]),
    .library(name: "EncircleWorkbook", targets: ["EncircleWorkbook"]),
    .library(name: "EncircleSessions", targets: ["EncircleSessions"]),
    .library(name: "EncircleLanguageServer", targets: ["EncircleLanguageServer"]),
    .library(name: "EncircleDelivery", targets: ["EncircleDelivery"]),
    .library(name: "EncircleSDK", targets: ["EncircleSDK"]),
    .library(name: "EncircleLog", targets: ["EncircleLog"]),
    // Empty without the trait Kafka; the package Platforms/kafka tests it.
    .library(name: "EncircleKafka", targets: ["EncircleKafka", "CKafka"]),
    .library(name: "EncircleService", targets: ["EncircleService"]),
    .executable(name: "encircle", targets: ["EncircleTool"]),
  ],
  traits: [
    .default(enabledTraits: ["Service"]),
    .trait(
      name: "Service", description: "The commands `encircle serve` and `collect`, and the HTTP packages that they need."
    ),
    .trait(
      name: "Kafka", description: "Logs of `encircle collect`, and streams of `match`, in Kafka; needs librdkafka."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
    .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1", traits: []),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.35.2"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
  ],
  targets: [
    // System libraries.
    .systemLibrary(
      name: "CLibxml2", pkgConfig: "libxml-2.0",
      providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    // Apple's platforms have CryptoKit.
    .systemLibrary(name: "CLibcrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),

    .target(
      name: "Encircle",
      dependencies: [
        "EncircleCapture", "EncircleDictionary", "EncircleEvents", "EncircleIdentity", "EncircleInput",
        "EncircleRuleFiles", "EncircleRules", "EncircleText", "EncircleTree",
      ]),

    // names, places in texts, problems, JSON
    .target(name: "EncircleText", swiftSettings: threads),

    // the commit that the tool was built from, which packaging writes into the finished program
    .target(name: "CBuildCommit"),

    // files, pipes and gzip -> bytes
    .target(name: "EncircleInput", dependencies: ["CZlib"]),

    // capture -> tree -> path -> ID
    .target(name: "CGumbo", linkerSettings: [.linkedLibrary("gumbo")]),
    .target(name: "EncircleTree", dependencies: ["EncircleText"]),
    .target(
      name: "EncircleCapture",
      dependencies: ["CGumbo", "EncircleInput", "EncircleText", "EncircleTree", "CLibxml2"]),
    .target(
      name: "EncircleIdentity",
      dependencies: [
        "EncircleText", "EncircleTree", .target(name: "CLibcrypto", condition: .when(platforms: [.linux])),
      ]),

    // two screens -> which element is which
    .target(name: "EncircleDrift", dependencies: ["EncircleText", "EncircleTree"]),

    // captures -> dictionary file
    .target(
      name: "EncircleDictionary",
      dependencies: [
        "EncircleIdentity", "EncircleText", "EncircleTree", .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]),

    // bytes -> events
    .target(name: "CJSONEvent", exclude: ["read_event.inc"]),
    .target(name: "EncircleEvents", dependencies: ["CJSONEvent", "EncircleInput", "EncircleText"]),

    // rules -> matcher -> decisions
    .target(name: "CRE2", linkerSettings: [.linkedLibrary("re2")]),
    .target(name: "CProcessor"),
    .target(
      name: "EncircleRules",
      dependencies: [
        "CProcessor", "CRE2", "EncircleEvents", "EncircleIdentity", "EncircleInput", "EncircleText", "EncircleTree",
      ]),
    .target(
      name: "EncircleRuleFiles",
      dependencies: [
        "CYAML", "EncircleEvents", "EncircleIdentity", "EncircleInput", "EncircleRules", "EncircleText", "EncircleTree",
      ],
      swiftSettings: files),

    // rows of tables -> rows of decisions, for the engines that store events
    .systemLibrary(name: "CEncircle"),
    .target(
      name: "EncircleColumns",
      dependencies: [
        "CEncircle", "EncircleEvents", "EncircleIdentity", "EncircleInput", "EncircleRules", "EncircleText",
      ]),

    // the same for C
    .target(
      name: "EncircleC",
      dependencies: [
        "CEncircle", "EncircleColumns", "EncircleEvents", "EncircleInput", "EncircleRuleFiles", "EncircleRules",
        "EncircleText",
      ]),

    // rules and captures -> suggestions, findings, test results
    .target(
      name: "EncircleAuthoring",
      dependencies: [
        "EncircleRuleFiles", "EncircleRules", "EncircleSessions", "EncircleCapture", "EncircleDrift",
        "EncircleEvents", "EncircleIdentity", "EncircleInput", "EncircleText", "EncircleTree",
      ],
      swiftSettings: smallWhenPackaged),

    // plan -> spreadsheet -> plan
    .target(name: "CMinizip", linkerSettings: [.linkedLibrary("minizip"), .linkedLibrary("z")]),
    .target(
      name: "EncircleWorkbook",
      dependencies: [
        "CLibxml2", "CMinizip", "EncircleAuthoring", "EncircleRuleFiles", "EncircleText", "EncircleTree",
      ],
      swiftSettings: smallWhenPackaged),

    // recorded sessions -> events
    .target(
      name: "EncircleSessions",
      dependencies: [
        "EncircleCapture", "EncircleEvents", "EncircleIdentity", "EncircleInput", "EncircleRules", "EncircleText",
        "EncircleTree",
      ],
      swiftSettings: smallWhenPackaged),

    // rules in an editor
    .target(
      name: "EncircleLanguageServer",
      dependencies: [
        "EncircleAuthoring", "EncircleCapture", "EncircleDictionary", "EncircleEvents", "EncircleIdentity",
        "EncircleInput", "EncircleRuleFiles", "EncircleRules", "EncircleText", "EncircleTree",
      ],
      swiftSettings: smallWhenPackaged),

    // events -> queue on disk -> receiver, for programs that make events
    .target(
      name: "EncircleDelivery",
      dependencies: [
        "EncircleEvents", "EncircleInput", "EncircleText", .product(name: "GRDB", package: "GRDB.swift"),
      ]),

    // requests of SDKs -> events, and captures of the screens on which a person circles
    .target(name: "CJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
    .target(
      name: "EncircleSDK",
      dependencies: [
        "CJPEG", "EncircleCapture", "EncircleEvents", "EncircleIdentity", "EncircleInput", "EncircleRules",
        "EncircleText", "EncircleTree",
      ]),

    // decided events -> files or topics, for collectors
    .target(name: "EncircleLog", dependencies: ["EncircleText"]),
    // Only packages that enable the trait need librdkafka.
    .target(
      name: "CKafka",
      cSettings: [.define("ENCIRCLE_KAFKA", .when(traits: ["Kafka"]))],
      linkerSettings: [.linkedLibrary("rdkafka", .when(traits: ["Kafka"]))]),
    .target(
      name: "EncircleKafka",
      dependencies: ["EncircleLog", "EncircleText", .target(name: "CKafka", condition: .when(traits: ["Kafka"]))]),

    // captures, rules and events on disk, over HTTP, and the page
    .target(name: "CServiceResources", path: "Web", exclude: ["page", "openapi"]),
    .target(
      name: "EncircleService",
      dependencies: [
        "CServiceResources", "EncircleAuthoring", "EncircleCapture", "EncircleColumns", "EncircleEvents",
        "EncircleIdentity", "EncircleInput", "EncircleLog", "EncircleRuleFiles", "EncircleRules", "EncircleSDK",
        "EncircleText", "EncircleTree", "EncircleWorkbook", .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
        .product(name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Service"])),
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Service"])),
        .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Service"])),
        .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["Service"])),
        .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["Service"])),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras", condition: .when(traits: ["Service"])),
        .product(
          name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: .when(traits: ["Service"])),
      ]),

    // The names of product and module differ, because file systems that ignore case cannot hold modules Encircle
    // and encircle.
    .executableTarget(
      name: "EncircleTool",
      dependencies: [
        "CBuildCommit", "EncircleAuthoring", "EncircleCapture", "EncircleColumns", "EncircleDictionary",
        "EncircleDrift",
        "EncircleEvents", "EncircleIdentity", "EncircleInput", "EncircleLanguageServer", "EncircleLog",
        "EncircleRuleFiles", "EncircleRules", "EncircleSessions",
        "EncircleText", "EncircleTree", "EncircleWorkbook",
        .target(name: "EncircleService", condition: .when(traits: ["Service"])),
        .target(name: "EncircleKafka", condition: .when(traits: ["Kafka"])),
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Service"])),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      linkerSettings: [.unsafeFlags(staticRuntime, .when(platforms: [.linux], configuration: .release))]),

    // Tests, one target per module.
    .target(
      name: "EncircleTestSupport",
      dependencies: ["EncircleText", "EncircleTree", "EncircleCapture", "EncircleIdentity", "CZlib"],
      path: "Tests/Support"),
    .testTarget(name: "EncircleTests", dependencies: ["Encircle"]),
    .testTarget(name: "EncircleTextTests", dependencies: ["EncircleText", "EncircleTestSupport"]),
    .testTarget(name: "EncircleTreeTests", dependencies: ["EncircleTree", "EncircleTestSupport"]),
    .testTarget(
      name: "EncircleCaptureTests",
      dependencies: ["EncircleText", "EncircleTree", "EncircleCapture", "EncircleTestSupport"]),
    .testTarget(
      name: "EncircleIdentityTests",
      dependencies: [
        "EncircleText", "EncircleTree", "EncircleCapture", "EncircleIdentity", "EncircleTestSupport",
      ]),
    .testTarget(
      name: "EncircleDriftTests",
      dependencies: ["EncircleDrift", "EncircleCapture", "EncircleText", "EncircleTree", "EncircleTestSupport"]),
    .testTarget(
      name: "EncircleDictionaryTests",
      dependencies: [
        "EncircleDictionary", "EncircleCapture", "EncircleIdentity", "EncircleTree", "EncircleTestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "EncircleToolTests",
      dependencies: ["EncircleIdentity", "EncircleTestSupport"],
      exclude: ["Golden"]),
    .testTarget(
      name: "EncircleEventsTests",
      dependencies: ["EncircleEvents", "EncircleInput", "EncircleText", "EncircleTestSupport"]),
    .testTarget(
      name: "EncircleRulesTests",
      dependencies: [
        "CProcessor", "EncircleRules", "EncircleRuleFiles", "EncircleEvents", "EncircleInput", "EncircleIdentity",
        "EncircleCapture", "EncircleText", "EncircleTree", "EncircleTestSupport",
      ]),
    .testTarget(
      name: "EncircleRuleFilesTests",
      dependencies: [
        "EncircleRuleFiles", "EncircleRules", "EncircleEvents", "EncircleIdentity", "EncircleText",
        "EncircleTestSupport",
      ]),
    .testTarget(
      name: "EncircleColumnsTests",
      dependencies: [
        "EncircleColumns", "EncircleRuleFiles", "EncircleRules", "EncircleEvents", "EncircleIdentity", "EncircleText",
        "EncircleTestSupport",
      ]),
    // These tests link a C program to the library, which is built beside them.
    .testTarget(
      name: "EncircleCTests",
      dependencies: ["EncircleC", "EncircleRuleFiles", "EncircleRules", "EncircleTestSupport"], exclude: ["Program"]),
    .testTarget(
      name: "EncircleAuthoringTests",
      dependencies: [
        "EncircleAuthoring", "EncircleRuleFiles", "EncircleRules", "EncircleSessions", "EncircleEvents",
        "EncircleIdentity", "EncircleCapture", "EncircleDrift", "EncircleText", "EncircleTree", "EncircleTestSupport",
      ],
      exclude: ["Check/Golden", "Export/Golden", "Import/Golden"]),
    .testTarget(
      name: "EncircleWorkbookTests",
      dependencies: [
        "CMinizip", "EncircleWorkbook", "EncircleAuthoring", "EncircleEvents", "EncircleRuleFiles", "EncircleRules",
        "EncircleText", "EncircleTree", "EncircleTestSupport",
      ]),
    .testTarget(
      name: "EncircleSessionsTests",
      dependencies: [
        "EncircleSessions", "EncircleCapture", "EncircleEvents", "EncircleIdentity", "EncircleRuleFiles",
        "EncircleRules", "EncircleText", "EncircleTree",
        "EncircleTestSupport",
      ]),
    .testTarget(
      name: "EncircleLanguageServerTests",
      dependencies: [
        "EncircleLanguageServer", "EncircleCapture", "EncircleIdentity", "EncircleText", "EncircleTestSupport",
      ]),
    // A program that is killed while it stores and sends.
    .executableTarget(
      name: "EncircleDeliveryProcess", dependencies: ["EncircleDelivery"], path: "Tests/DeliveryProcess"),
    .testTarget(
      name: "EncircleDeliveryTests",
      dependencies: [
        "EncircleDelivery", "EncircleDeliveryProcess", "EncircleEvents", "EncircleInput", "EncircleTestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "EncircleSDKTests",
      dependencies: [
        "EncircleSDK", "EncircleCapture", "EncircleEvents", "EncircleIdentity", "EncircleInput", "EncircleRuleFiles",
        "EncircleRules", "EncircleText", "EncircleTree", "EncircleTestSupport",
      ]),
    // They talk to the built tool, over loopback.
    .testTarget(name: "EncircleLogTests", dependencies: ["EncircleLog", "EncircleTestSupport"]),
    .testTarget(
      name: "EncircleServiceTests",
      dependencies: [
        "EncircleService", "EncircleLog", "EncircleSDK", "EncircleIdentity", "EncircleTree",
        "EncircleTestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Service"])),
      ],
      exclude: ["Golden"]),
  ],
  cxxLanguageStandard: .cxx17
)
