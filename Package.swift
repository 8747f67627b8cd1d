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
    .systemLibrary(
      name: "CPangoCairo", pkgConfig: "pangocairo cairo-xlib",
      providers: [.apt(["libpango1.0-dev", "libcairo2-dev"])]),
    .target(
      name: "XDnD",
      dependencies: ["CX11", .product(name: "Logging", package: "swift-log")],
      swiftSettings: strict),
    .target(
      name: "ToolWindow",
      dependencies: ["CX11", "CPangoCairo"],
      swiftSettings: strict),
    .testTarget(
      name: "ToolWindowTests",
      dependencies: ["ToolWindow"],
      swiftSettings: strict),
  ]
)
