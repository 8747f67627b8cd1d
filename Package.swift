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

// scripts/fuzz sets it.
let isFuzzing = Context.environment["XDND_FUZZ"] != nil

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Tools"]))

let package = Package(
  name: "XDnD",
  products: [
    .library(name: "XDnD", targets: ["XDnD"]),
    // Xlib, for hosts that have no module of it.
    .library(name: "XDnDX11", targets: ["XDnDX11"]),
    // Foundation's values, for hosts that use it.
    .library(name: "XDnDFoundation", targets: ["XDnDFoundation"]),
    // Drag images drawn by cairo and pango, for hosts that draw without them.
    .library(name: "XDnDDrawing", targets: ["XDnDDrawing"]),
    // A simulated display, for the tests of hosts.
    .library(name: "XDnDTesting", targets: ["XDnDTesting"]),
    // For C and everything that can call C: scripts/library makes libxdnd of it.
    .library(name: "XDnDBindings", type: .dynamic, targets: ["XDnDBindings"]),
    .executable(name: "xdnd-source", targets: ["xdnd-source"]),
    .executable(name: "xdnd-probe", targets: ["xdnd-probe"]),
  ],
  traits: [
    // Programs that use only the library say `traits: []`, and do not fetch what only the tools need. On by default,
    // because a bare `swift build` has to make the tools. If two packages depend on this one, both have to say it.
    .trait(name: "Tools", description: "The tools xdnd-source and xdnd-probe."),
    .default(enabledTraits: ["Tools"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  // Modules have the prefix of the package, because a program that uses it may have a `Files` of its own.
  targets: [
    .systemLibrary(
      name: "XDnDX11", path: "Sources/CX11", pkgConfig: "x11 xfixes xcursor",
      providers: [.apt(["libx11-dev", "libxfixes-dev", "libxcursor-dev"])]),
    .target(name: "XDnDXlibint", dependencies: ["XDnDX11"], path: "Sources/CXlibint"),
    // What Swift's module of the C library leaves out.
    .systemLibrary(name: "XDnDLinux", path: "Sources/CLinux"),
    // Files written durably: below the library and the tools.
    .target(name: "XDnDFiles", dependencies: ["XDnDLinux"], path: "Sources/Files", swiftSettings: strict),
    .target(
      name: "XDnD",
      dependencies: [
        "XDnDX11", "XDnDXlibint", "XDnDLinux", "XDnDFiles", .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    // `URL`, `Data` and JSON: the only target that imports Foundation.
    .target(name: "XDnDFoundation", dependencies: ["XDnD"], swiftSettings: strict),
    .target(name: "XDnDDrawing", dependencies: ["XDnD", "XDnDLoadedLibraries"], swiftSettings: strict),
    // The simulated server, for our own tests and those of hosts. It uses `package` declarations of the library and not
    // `@testable`: release builds have no testability.
    .target(name: "XDnDTesting", dependencies: ["XDnD"], swiftSettings: strict),
    // The header of the C library, and the functions that it declares.
    .target(name: "XDnDInterface", path: "Sources/CInterface"),
    .target(
      name: "XDnDBindings", dependencies: ["XDnD", "XDnDInterface"], path: "Sources/Bindings", swiftSettings: strict),

    // The tools, and what only they need.
    // cairo, pango and ATK, loaded at their first use.
    .target(
      name: "XDnDLoadedLibraries", dependencies: ["XDnDX11"], path: "Sources/CLoadedLibraries",
      linkerSettings: [.linkedLibrary("dl")]),
    .target(
      name: "XDnDToolWindow",
      dependencies: ["XDnDX11", "XDnDXlibint", "XDnDLoadedLibraries", "XDnDLinux", "XDnDFiles"],
      path: "Sources/ToolWindow", swiftSettings: strict),
    .target(
      name: "XDnDFileOperations", dependencies: ["XDnDLinux", "XDnDFiles"], path: "Sources/FileOperations",
      swiftSettings: strict),
    .target(name: "XDnDJSONText", path: "Sources/JSONText", swiftSettings: strict),
    .target(
      name: "XDnDToolSupport",
      dependencies: [
        "XDnD", "XDnDX11", "XDnDFiles", "XDnDToolWindow", "XDnDJSONText",
        argumentParser,
        .product(name: "Logging", package: "swift-log"),
      ], path: "Sources/ToolSupport",
      swiftSettings: strict),
    // The wire as a file, the rules that it is checked against, and a client that follows a script.
    .target(
      name: "XDnDConformance", dependencies: ["XDnD", "XDnDX11", "XDnDXlibint", "XDnDJSONText"],
      path: "Sources/Conformance", swiftSettings: strict),
    .executableTarget(
      name: "xdnd-source",
      dependencies: [
        "XDnD", "XDnDFiles", "XDnDToolWindow", "XDnDToolSupport", "XDnDJSONText",
        argumentParser,
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "xdnd-probe",
      dependencies: [
        "XDnD", "XDnDFiles", "XDnDFileOperations", "XDnDToolWindow", "XDnDToolSupport", "XDnDJSONText",
        "XDnDConformance",
        argumentParser,
      ],
      swiftSettings: strict),

    .executableTarget(
      name: "RawXlib", dependencies: ["XDnD", "XDnDX11"], path: "Examples/RawXlib", swiftSettings: strict),
    .executableTarget(
      name: "Photos", dependencies: ["XDnD", "XDnDX11"], path: "Examples/Photos", swiftSettings: strict),
    .executableTarget(
      name: "DispatchLoop", dependencies: ["XDnD", "XDnDX11"], path: "Examples/EventLoops/Dispatch",
      swiftSettings: strict),
    .executableTarget(
      name: "MainActorLoop", dependencies: ["XDnD", "XDnDX11"], path: "Examples/EventLoops/MainActor",
      swiftSettings: strict),
    .executableTarget(
      name: "OtherActorLoop", dependencies: ["XDnD", "XDnDX11"], path: "Examples/EventLoops/OtherActor",
      swiftSettings: strict),
    .executableTarget(
      name: "Lists", dependencies: ["XDnD", "XDnDX11", "XDnDFoundation", "XDnDLoadedLibraries"], path: "Examples/Lists",
      swiftSettings: strict),
    .executableTarget(name: "Note", dependencies: ["XDnD", "XDnDX11"], path: "Examples/Note", swiftSettings: strict),

    // One of the programs of Tests/Consumers, which its own package builds as consumer-wishes.
    .executableTarget(
      name: "Wishes", dependencies: ["XDnD", "XDnDX11", "XDnDDrawing"], path: "Tests/Consumers/Sources/Wishes",
      swiftSettings: strict),

    .systemLibrary(
      name: "CXTest", path: "Tests/CXTest", pkgConfig: "xtst xi", providers: [.apt(["libxtst-dev", "libxi-dev"])]),
    // What the tests share. A plain target, as test targets cannot depend on each other.
    .target(
      name: "TestSupport",
      dependencies: ["XDnD", "XDnDX11", "CXTest", "XDnDToolWindow", "XDnDConformance"],
      path: "Tests/TestSupport", swiftSettings: strict),
    // The programs of docs/porting.md, beside the originals of which they are ports: with Apple's names, and in a module of
    // their own, where these hide no name of the library, in the library's form.
    .target(
      name: "PortingPrograms", dependencies: ["XDnD", "XDnDFoundation"], path: "Tests/PortingPrograms",
      exclude: ["Native", "Originals"], swiftSettings: strict),
    .target(
      name: "NativePortingPrograms", dependencies: ["XDnD"], path: "Tests/PortingPrograms/Native",
      swiftSettings: strict),
    // Runs of the state machines: XDnDTests decides at random what happens in them, and the fuzzer by its bytes.
    .target(
      name: "FuzzRuns", dependencies: ["XDnD"], path: "Tests/Fuzz/Runs",
      swiftSettings: strict + (isFuzzing ? [.define("XDND_FUZZ")] : [])),
    // The quick tests: neither an X server nor other programs.
    .testTarget(
      name: "XDnDTests",
      dependencies: [
        "TestSupport", "FuzzRuns", "PortingPrograms", "NativePortingPrograms", "XDnD", "XDnDFoundation", "XDnDFiles",
        "XDnDToolWindow", "XDnDToolSupport",
        "XDnDJSONText", "XDnDConformance", "XDnDTesting", "XDnDFileOperations",
        "xdnd-source", "xdnd-probe", "Lists", "Note",
      ],
      swiftSettings: strict),
    // A search through everything that can happen in a drag.
    .testTarget(name: "SearchTests", dependencies: ["TestSupport", "FuzzRuns", "XDnD"], swiftSettings: strict),
    // The library and an X server.
    .testTarget(
      name: "X11Tests",
      dependencies: [
        "TestSupport", "PortingPrograms", "NativePortingPrograms", "XDnD", "XDnDX11", "XDnDConformance",
        "XDnDToolWindow",
        "xdnd-source", "xdnd-probe",
        "RawXlib", "Lists", "Note",
      ],
      swiftSettings: strict),
    // The C library and an X server, by its header.
    .testTarget(
      name: "CInterfaceTests", dependencies: ["TestSupport", "XDnD", "XDnDX11", "XDnDBindings", "XDnDInterface"],
      swiftSettings: strict),
    // The tools, as programs.
    .testTarget(
      name: "ToolTests",
      dependencies: [
        "TestSupport", "XDnD", "XDnDX11", "XDnDFiles", "XDnDToolWindow", "XDnDToolSupport", "XDnDConformance",
        "xdnd-source", "xdnd-probe",
      ],
      swiftSettings: strict),
    // Toolkits, file managers and applications.
    .testTarget(
      name: "InteropTests",
      dependencies: [
        "TestSupport", "XDnD", "XDnDX11", "XDnDToolSupport", "XDnDConformance", "xdnd-source",
        "xdnd-probe", "Wishes",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ToolWindowTests",
      dependencies: ["XDnD", "XDnDDrawing", "XDnDToolWindow", "XDnDLoadedLibraries", "XDnDX11", "XDnDFiles"],
      swiftSettings: strict),
    .testTarget(name: "FileOperationsTests", dependencies: ["XDnDFileOperations", "XDnDFiles"], swiftSettings: strict),
  ]
)

// Builds only these test targets, with commas between them: a sanitizer takes long for each.
if let names = Context.environment["XDND_TEST_TARGETS"]?.split(separator: ",") {
  package.targets.removeAll { target in target.type == .test && !names.contains { $0 == target.name } }
}

// The fuzzer links only with the flags of scripts/fuzz.
if isFuzzing {
  package.targets.append(
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "FuzzRuns", "XDnD", "XDnDTesting", "XDnDJSONText", "XDnDConformance",
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Tests/Fuzz/Targets", swiftSettings: strict))
}

// Who only uses the package does not fetch what its documentation is built with.
if Context.environment["XDND_DOCS"] != nil {
  package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}
