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
    .executable(name: "xdnd-source", targets: ["xdnd-source"]),
    .executable(name: "xdnd-probe", targets: ["xdnd-probe"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    .systemLibrary(
      name: "CX11", pkgConfig: "x11 xfixes xcursor",
      providers: [.apt(["libx11-dev", "libxfixes-dev", "libxcursor-dev"])]),
    .target(name: "CXlibint", dependencies: ["CX11"]),
    // What Swift's module of the C library leaves out.
    .systemLibrary(name: "CLinux"),
    // Files written durably: below the library and the tools.
    .target(name: "Files", dependencies: ["CLinux"], swiftSettings: strict),
    .target(
      name: "XDnD",
      dependencies: ["CX11", "CXlibint", "CLinux", "Files", .product(name: "Logging", package: "swift-log")],
      swiftSettings: strict),

    // The tools, and what only they need.
    .target(name: "CPangoCairo", dependencies: ["CX11"], linkerSettings: [.linkedLibrary("dl")]),
    .target(
      name: "ToolWindow", dependencies: ["CX11", "CXlibint", "CPangoCairo", "CLinux", "Files"], swiftSettings: strict),
    .target(name: "FileOperations", dependencies: ["CLinux", "Files"], swiftSettings: strict),
    .target(name: "JSONText", swiftSettings: strict),
    .target(
      name: "ToolSupport",
      dependencies: [
        "XDnD", "CX11", "Files", "ToolWindow", "JSONText",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    // What went over the wire, as a file: written, read, drawn, checked and replayed.
    .target(name: "DragRecording", dependencies: ["XDnD", "JSONText"], swiftSettings: strict),
    .target(name: "ScriptedClient", dependencies: ["XDnD", "CX11"], swiftSettings: strict),
    .target(name: "DragConformance", dependencies: ["XDnD", "DragRecording"], swiftSettings: strict),
    .executableTarget(
      name: "xdnd-source",
      dependencies: [
        "XDnD", "Files", "ToolWindow", "ToolSupport", "JSONText",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "xdnd-probe",
      dependencies: [
        "XDnD", "Files", "FileOperations", "ToolWindow", "ToolSupport", "JSONText", "DragRecording", "ScriptedClient",
        "DragConformance",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),

    .executableTarget(
      name: "RawXlib", dependencies: ["XDnD", "CX11"], path: "Examples/RawXlib", swiftSettings: strict),
    .executableTarget(
      name: "Photos", dependencies: ["XDnD", "CX11"], path: "Examples/Photos", swiftSettings: strict),

    .systemLibrary(
      name: "CXTest", path: "Tests/CXTest", pkgConfig: "xtst", providers: [.apt(["libxtst-dev"])]),
    // What the tests share. A plain target, as test targets cannot depend on each other.
    .target(
      name: "TestSupport", dependencies: ["XDnD", "CX11", "CXTest", "ToolWindow", "DragRecording", "DragConformance"],
      path: "Tests/TestSupport", swiftSettings: strict),
    // The quick tests: neither an X server nor other programs.
    .testTarget(
      name: "XDnDTests",
      dependencies: [
        "TestSupport", "XDnD", "Files", "ToolWindow", "ToolSupport", "JSONText", "DragRecording", "DragConformance",
        "xdnd-source", "xdnd-probe",
      ],
      swiftSettings: strict),
    // The library and an X server.
    .testTarget(
      name: "X11Tests",
      dependencies: [
        "TestSupport", "XDnD", "CX11", "ScriptedClient", "ToolWindow", "ToolSupport", "xdnd-source", "xdnd-probe",
        "RawXlib",
      ],
      swiftSettings: strict),
    // The tools, as programs.
    .testTarget(
      name: "ToolTests",
      dependencies: [
        "TestSupport", "XDnD", "CX11", "Files", "ToolWindow", "ToolSupport", "DragRecording", "ScriptedClient",
        "DragConformance", "xdnd-source", "xdnd-probe",
      ],
      swiftSettings: strict),
    // Toolkits, file managers and applications.
    .testTarget(
      name: "InteropTests",
      dependencies: [
        "TestSupport", "XDnD", "CX11", "ToolSupport", "DragRecording", "DragConformance", "xdnd-source", "xdnd-probe",
      ],
      swiftSettings: strict),
    .testTarget(name: "ToolWindowTests", dependencies: ["ToolWindow", "CPangoCairo", "Files"], swiftSettings: strict),
    .testTarget(name: "FileOperationsTests", dependencies: ["FileOperations", "Files"], swiftSettings: strict),
  ]
)

// Who only uses the package does not fetch what its documentation is built with.
if Context.environment["XDND_DOCS"] != nil {
  package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}
