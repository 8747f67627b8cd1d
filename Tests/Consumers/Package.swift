// swift-tools-version: 6.2

import PackageDescription

// What programs see that depend on this package: one for each of its library products. scripts/consumer-test builds
// them, checks what they fetch and link, and runs the tests.
let package = Package(
  name: "Consumers",
  // Without the tools, as docs/library.md advises.
  dependencies: [.package(name: "XDnD", path: "../..", traits: [])],
  targets: [
    // The name of a folder of XDnD, which a program over Xlib is likely to use.
    .systemLibrary(name: "CX11", path: "Sources/CX11", pkgConfig: "x11"),
    .executableTarget(
      name: "consumer-library", dependencies: ["CX11", .product(name: "XDnD", package: "XDnD")],
      path: "Sources/Library"),
    .executableTarget(
      name: "consumer-xlib",
      dependencies: [.product(name: "XDnD", package: "XDnD"), .product(name: "XDnDX11", package: "XDnD")],
      path: "Sources/Xlib"),
    .executableTarget(
      name: "consumer-foundation",
      dependencies: [.product(name: "XDnD", package: "XDnD"), .product(name: "XDnDFoundation", package: "XDnD")],
      path: "Sources/Values"),
    // A program's own tests, without an X server.
    .testTarget(
      name: "BoardTests",
      dependencies: [.product(name: "XDnD", package: "XDnD"), .product(name: "XDnDTesting", package: "XDnD")]),
  ])
