// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "XDnD",
  products: [
    .library(name: "XDnD", targets: ["XDnD"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    .systemLibrary(
      name: "CX11", pkgConfig: "x11 xfixes xcursor",
      providers: [.apt(["libx11-dev", "libxfixes-dev", "libxcursor-dev"])]),
    .target(
      name: "XDnD",
      dependencies: ["CX11", .product(name: "Logging", package: "swift-log")],
      swiftSettings: strict),
    .systemLibrary(
      name: "CXTest", path: "Tests/CXTest", pkgConfig: "xtst",
      providers: [.apt(["libxtst-dev"])]),
    .testTarget(
      name: "XDnDTests",
      dependencies: ["XDnD", "CX11", "CXTest"],
      swiftSettings: strict),
  ]
)
