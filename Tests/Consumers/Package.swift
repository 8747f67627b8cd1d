// swift-tools-version: 6.2

import PackageDescription

// What programs see that depend on this package: one for each of its library products. scripts/consumer-test builds
// them with a repository of its own in the place of the address, checks what they fetch and link, and runs the tests.
let package = Package(
  name: "Consumers",
  // The line of README.md.
  dependencies: [.package(url: "https://github.com/OWNER/XDnD", from: "0.1.0", traits: [])],
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
    // What a program over Xlib may wish for, each in a few lines.
    .executableTarget(
      name: "consumer-wishes",
      dependencies: [
        .product(name: "XDnD", package: "XDnD"), .product(name: "XDnDX11", package: "XDnD"),
        .product(name: "XDnDDrawing", package: "XDnD"),
      ],
      path: "Sources/Wishes"),
    // A program's own tests, without an X server.
    .testTarget(
      name: "BoardTests",
      dependencies: [.product(name: "XDnD", package: "XDnD"), .product(name: "XDnDTesting", package: "XDnD")]),
  ])
