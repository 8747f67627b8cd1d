// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "XDnD", path: "..")],
  targets: [
    .systemLibrary(name: "CBareX11", pkgConfig: "x11"),
    .executableTarget(
      name: "transfer-benchmark", dependencies: ["CBareX11", .product(name: "XDnD", package: "XDnD")],
      path: "Sources/TransferBenchmark",
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
  ])
