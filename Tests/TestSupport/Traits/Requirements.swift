import Foundation
import Glibc
package import Testing

/// A program that a test needs is not installed; in CI that is a failure.
struct MissingRequirement: Error, CustomStringConvertible {
  let description: String
}

extension Trait where Self == ConditionTrait {
  /// Skips the test where `program` is not installed; fails it there when `CI` is `true`.
  ///
  /// - Parameter package: the Debian package to install; by default it has the name of the program.
  package static func requires(program: String, package: String? = nil) -> Self {
    requirement("the program \(program)", package: package ?? program) { path(ofProgram: program) != nil }
  }

  /// Skips the test where `/usr/bin/python3` cannot run `import module`; fails it there when `CI` is `true`.
  ///
  /// - Parameters:
  ///   - package: the Debian packages to install.
  ///   - check: more Python that must run without an exception.
  package static func requires(pythonModule module: String, package: String, check: String = "pass") -> Self {
    requirement("the Python module \(module)", package: package) {
      await PythonModules.shared.works("import \(module); \(check)")
    }
  }

  /// Everything that an X server of the test's own needs.
  package static var requiresXvfb: Self { requires(program: "Xvfb", package: "xvfb") }

  /// What `XServer.withHandDevices` needs.
  package static var requiresXorg: Self {
    requirement(
      "Xorg and its drivers dummy and inputtest", package: "xserver-xorg-core xserver-xorg-video-dummy"
    ) {
      let modules = ["/usr/lib/xorg/modules", "/usr/lib64/xorg/modules"]
      return path(ofProgram: XServer.xorg) != nil
        && modules.contains { folder in
          ["drivers/dummy_drv.so", "input/inputtest_drv.so"].allSatisfy { access("\(folder)/\($0)", R_OK) == 0 }
        }
    }
  }

  /// The window manager of the harness.
  package static var requiresOpenbox: Self { requires(program: "openbox") }

  /// What `gtk3_peer.py` needs.
  package static var requiresGTK3: Self {
    requires(
      pythonModule: "gi", package: "python3-gi gir1.2-gtk-3.0", check: "gi.require_version('Gtk', '3.0')")
  }

  /// What `gtk4_peer.py` needs.
  package static var requiresGTK4: Self {
    requires(
      pythonModule: "gi", package: "python3-gi gir1.2-gtk-4.0", check: "gi.require_version('Gtk', '4.0')")
  }

  /// What `qt_peer.py` needs for Qt 5.
  package static var requiresQt5: Self { requires(pythonModule: "PyQt5.QtWidgets", package: "python3-pyqt5") }

  /// What `qt_peer.py` needs for Qt 6.
  package static var requiresQt6: Self { requires(pythonModule: "PyQt6.QtWidgets", package: "python3-pyqt6") }

  /// What `tk_peer.py` needs; the package of tkdnd is found without a display.
  package static var requiresTk: Self {
    requires(
      pythonModule: "tkinter", package: "python3-tk tkdnd",
      check: "t = tkinter.Tcl(); t.eval('catch {package require nosuch}'); assert t.eval('package versions tkdnd')")
  }

  /// What `sdl2_peer.py` needs.
  package static var requiresSDL2: Self {
    requires(
      pythonModule: "ctypes", package: "libsdl2-2.0-0", check: "ctypes.CDLL('libSDL2-2.0.so.0')")
  }

  /// What `glfw_peer.py` needs.
  package static var requiresGLFW: Self {
    requires(pythonModule: "ctypes", package: "libglfw3", check: "ctypes.CDLL('libglfw.so.3')")
  }

  /// What `wx_peer.py` needs.
  package static var requiresWx: Self { requires(pythonModule: "wx", package: "python3-wxgtk4.0") }

  /// What `fltk_peer.cpp` needs; the compiler comes with Swift.
  package static var requiresFLTK: Self {
    requirement("clang++ and the headers of FLTK", package: "libfltk1.3-dev") {
      path(ofProgram: "clang++") != nil && access("/usr/include/FL/Fl.H", R_OK) == 0
    }
  }

  /// What `JavaPeer.java` needs: a JDK, for it is not compiled, and one that has windows.
  package static var requiresJava: Self {
    requirement("a JDK with windows", package: "default-jdk") {
      await JavaWindows.shared.work
    }
  }

  /// Xfce's settings daemon, which keeps the clipboard of programs that end; most clipboard managers do not do what the
  /// specification says.
  package static var requiresClipboardManager: Self {
    requirement("the programs xfsettingsd and dbus-run-session", package: "xfce4-settings dbus-daemon") {
      path(ofProgram: "xfsettingsd") != nil && path(ofProgram: "dbus-run-session") != nil
    }
  }

  /// The accessibility bus of the desktop, ATK's bridge to it, and what `screen_reader.py` needs.
  package static var requiresAccessibilityBus: Self {
    requires(
      pythonModule: "gi",
      package: "at-spi2-core libatk-bridge2.0-0 python3-gi gir1.2-atspi-2.0 dbus-daemon",
      check: """
        gi.require_version('Atspi', '2.0'); import ctypes, os, shutil
        ctypes.CDLL('libatk-bridge-2.0.so.0')
        launchers = ['/usr/libexec/at-spi-bus-launcher', '/usr/lib/at-spi2-core/at-spi-bus-launcher']
        assert shutil.which('dbus-daemon') and any(os.access(path, os.X_OK) for path in launchers)
        """)
  }

  /// A compositing manager.
  package static var requiresPicom: Self { requires(program: "picom") }

  /// The file manager of Xfce.
  package static var requiresThunar: Self { requires(program: "thunar") }

  /// The file manager of LXDE.
  package static var requiresPCManFM: Self { requires(program: "pcmanfm") }

  private static func requirement(
    _ what: String, package: String, isPresent: @escaping @Sendable () async -> Bool
  ) -> Self {
    let advice = "needs \(what): apt-get install \(package)"
    return .enabled(Comment(rawValue: advice)) {
      if await isPresent() { return true }
      if ProcessInfo.processInfo.environment["CI"] == "true" { throw MissingRequirement(description: advice) }
      return false
    }
  }
}

/// Remembers whether `java` runs source files and has windows: asking takes a second.
private actor JavaWindows {
  static let shared = JavaWindows()
  private var known: Task<Bool, Never>?

  var work: Bool {
    get async {
      if let known { return await known.value }
      let task = Task {
        guard let process = try? ChildProcess("java", ["--list-modules"]),
          (try? await process.exit(timeout: .seconds(60))) == .exited(0)
        else { return false }
        // A headless package has the module and not its library.
        let home = path(ofProgram: "java").map { URL(fileURLWithPath: $0).resolvingSymlinksInPath() }
        let library = home?.deletingLastPathComponent().deletingLastPathComponent()
          .appendingPathComponent("lib/libawt_xawt.so").path
        return process.output.text.contains("jdk.compiler") && access(library ?? "", R_OK) == 0
      }
      known = task
      return await task.value
    }
  }
}

/// Remembers which lines of Python run, for they take long and many tests ask for the same.
private actor PythonModules {
  static let shared = PythonModules()
  private var known: [String: Task<Bool, Never>] = [:]

  func works(_ code: String) async -> Bool {
    if let task = known[code] { return await task.value }
    let task = Task {
      guard let process = try? ChildProcess("/usr/bin/python3", ["-c", code]) else { return false }
      return (try? await process.exit(timeout: .seconds(60))) == .exited(0)
    }
    known[code] = task
    return await task.value
  }
}
