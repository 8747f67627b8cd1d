// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "XDnD", path: "..", traits: [])],
  targets: [
    .systemLibrary(name: "CBareX11", pkgConfig: "x11"),
    .systemLibrary(name: "CProfile", pkgConfig: "xtst"),
    .executableTarget(
      name: "transfer-benchmark", dependencies: ["CBareX11", .product(name: "XDnD", package: "XDnD")],
      path: "Sources/TransferBenchmark", swiftSettings: strict),
    // Measures how long the library keeps an event loop, behind the proxy of Latency.
    .executableTarget(
      name: "latency-host", dependencies: ["CBareX11", .product(name: "XDnD", package: "XDnD")],
      path: "Sources/LatencyHost", swiftSettings: strict),
    // One step of the library, whose functions and lines `scripts/walk` counts.
    .executableTarget(
      name: "walk", dependencies: ["CBareX11", "CProfile", .product(name: "XDnD", package: "XDnD")],
      path: "Sources/Walk", swiftSettings: strict),

    // Measures the startup time of a tool. The others are the programs to compare with: an empty window, and one row in
    // GTK 3.
    .executableTarget(
      name: "startup-benchmark", dependencies: ["CBareX11"], path: "Sources/StartupBenchmark", swiftSettings: strict),
    .executableTarget(
      name: "bare-window", dependencies: ["CBareX11"], path: "Sources/BareWindow", swiftSettings: strict),
    .executableTarget(name: "gtk-row", path: "Sources/GTKRow", linkerSettings: [.linkedLibrary("dl")]),
  ])
