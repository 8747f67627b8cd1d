import Foundation
import Glibc
package import XDnD

extension XServer {
  /// An environment that is the same on every machine: little of the test run's own, nothing of the user's settings,
  /// no session bus, and a cursor theme that names its cursors.
  package static func makeEnvironment(in directory: TemporaryDirectory) throws -> [String: String] {
    for name in ["home", "runtime", "tmp"] {
      guard mkdir(directory(name), 0o700) == 0 else {
        throw HarnessError("cannot make \(directory(name))", code: errno)
      }
    }
    // The address of a socket holds 107 bytes. PCManFM cuts the path of its socket to that; if it happens to be cut to the
    // directory, the program ends with status 1 and prints nothing.
    guard directory("runtime/pcmanfm-socket--12345").utf8.count <= 107 else {
      throw HarnessError("\(directory("runtime")) is too long for sockets in it; set TMPDIR to a shorter path")
    }
    var environment = [
      "HOME": directory("home"),
      "XDG_RUNTIME_DIR": directory("runtime"),
      "TMPDIR": directory("tmp"),
      "LANG": "C.UTF-8",
      "LC_ALL": "C.UTF-8",
      "XCURSOR_SIZE": "24",
      "GDK_BACKEND": "x11",
      "GSETTINGS_BACKEND": "memory",
      "GIO_USE_VFS": "local",
      "GTK_A11Y": "none",
      "NO_AT_BRIDGE": "1",
      "QT_QPA_PLATFORM": "xcb",
      "QT_ACCESSIBILITY": "0",
      "DBUS_SESSION_BUS_ADDRESS": "disabled:",
      "PYTHONDONTWRITEBYTECODE": "1",
    ]
    if access("/usr/share/icons/DMZ-White/cursors", R_OK) == 0 { environment["XCURSOR_THEME"] = "DMZ-White" }
    let inherited = ProcessInfo.processInfo.environment
    for name in ["PATH", "LD_LIBRARY_PATH", "CI", "ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"] {
      environment[name] = inherited[name]
    }
    return environment
  }

  /// Starts the window manager and returns once it says on the root window that it manages.
  static func startManager(
    _ manager: WindowManager, displayName: String, _ environment: [String: String], _ directory: TemporaryDirectory
  ) async throws -> ChildProcess {
    let configuration = try directory.write(openboxConfiguration.utf8, to: "openbox.xml")
    let process = try ChildProcess(
      manager.rawValue, ["--sm-disable", "--config-file", configuration], environment: environment)
    let connection = try DisplayConnection(displayName)
    let ready = try await onOwnThread {
      connection.awaitManager(timeout: .seconds(20))
    }
    guard ready else { throw process.failure("does not manage the display") }
    return process
  }

  /// The window of a file manager as openbox lays it out: the programs cannot be told where to be.
  package static let fileManagerWindow = Rect(x: 560, y: 60, width: 640, height: 480)

  private static let fileManagerPlace = """
    <decor>no</decor>
    <position force="yes"><x>\(fileManagerWindow.origin.x)</x><y>\(fileManagerWindow.origin.y)</y></position>
    <size><width>\(fileManagerWindow.width)</width><height>\(fileManagerWindow.height)</height></size>
    """

  /// Of the other applications: below the tools, for some take the whole screen.
  private static let applicationPlaces = Application.allCases.map { application in
    """
    <application class="\(application.windowClass)" type="normal">\(fileManagerPlace)<layer>below</layer></application>
    """
  }.joined(separator: "\n")

  private static let openboxConfiguration = """
    <?xml version="1.0" encoding="UTF-8"?>
    <openbox_config xmlns="http://openbox.org/3.4/rc">
      <focus><focusNew>yes</focusNew><followMouse>no</followMouse></focus>
      <desktops><number>1</number><popupTime>0</popupTime></desktops>
      <theme><name>Clearlooks</name><animateIconify>no</animateIconify></theme>
      <keyboard></keyboard>
      <applications>
        <application class="Thunar" type="normal">\(fileManagerPlace)</application>
        <application class="Pcmanfm" type="normal">\(fileManagerPlace)</application>
        \(applicationPlaces)
      </applications>
      <mouse>
        <context name="Titlebar">
          <mousebind button="Left" action="Drag"><action name="Move"/></mousebind>
          <mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
        </context>
        <context name="Client">
          <mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
        </context>
      </mouse>
    </openbox_config>
    """
}
