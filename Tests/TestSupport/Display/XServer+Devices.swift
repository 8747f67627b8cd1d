import Glibc

/// The input devices that Xvfb does not support.
package struct HandDevices: Sendable {
  package let touchscreen: Touchscreen
  package let pen: Pen
}

extension XServer {
  /// Runs `body` with an Xorg server that has a touchscreen and a tablet with a pen; Xvfb supports neither. Its drivers, `dummy`
  /// and `inputtest`, need no hardware and no root.
  package static func withHandDevices<Value>(
    windowManager: WindowManager? = nil, _ body: (XServer, HandDevices) async throws -> Value
  ) async throws -> Value {
    let (width, height) = (1280, 800)
    let directory = try TemporaryDirectory("display")
    let (touchscreen, pen) = (directory("touchscreen"), directory("pen"))
    let configuration = try directory.write(
      xorgConfiguration(width: width, height: height, touchscreen: touchscreen, pen: pen).utf8, to: "xorg.conf")
    let server = try await start(
      xorg, ["-config", configuration, "-logfile", directory("xorg.log"), "-sharevts", "-novtswitch", "-noreset"],
      in: directory, windowManager: windowManager)
    return try await server.use {
      let devices = HandDevices(
        touchscreen: Touchscreen(try SyntheticDevice(path: touchscreen, width: width, height: height)),
        pen: Pen(try SyntheticDevice(path: pen, width: width, height: height)))
      return try await body(server, devices)
    }
  }

  /// The server's executable. The `Xorg` in `PATH` may be a wrapper that starts it as root.
  static var xorg: String {
    ["/usr/lib/xorg/Xorg", "/usr/libexec/Xorg"].first { access($0, X_OK) == 0 } ?? "Xorg"
  }

  /// - Parameters:
  ///   - touchscreen: The socket of the driver.
  ///   - pen: That of the other one.
  private static func xorgConfiguration(width: Int, height: Int, touchscreen: String, pen: String) -> String {
    """
    Section "ServerFlags"
      Option "AutoAddDevices" "false"
    EndSection
    Section "Module"
      Disable "glx"
    EndSection
    Section "InputDevice"
      Identifier "touchscreen"
      Driver "inputtest"
      Option "DeviceType" "Touch"
      Option "TouchCount" "10"
      Option "SocketPath" "\(touchscreen)"
    EndSection
    Section "InputDevice"
      Identifier "\(Pen.name)"
      Driver "inputtest"
      Option "DeviceType" "PointerAbsoluteProximity"
      Option "SocketPath" "\(pen)"
    EndSection
    Section "Device"
      Identifier "card"
      Driver "dummy"
    EndSection
    Section "Monitor"
      Identifier "monitor"
      HorizSync 1-1000
      VertRefresh 1-1000
    EndSection
    Section "Screen"
      Identifier "screen"
      Device "card"
      Monitor "monitor"
      DefaultDepth 24
      SubSection "Display"
        Depth 24
        Modes "\(width)x\(height)"
        Virtual \(width) \(height)
      EndSubSection
    EndSection
    Section "ServerLayout"
      Identifier "layout"
      Screen "screen"
      InputDevice "touchscreen" "SendCoreEvents"
      InputDevice "\(Pen.name)" "SendCoreEvents"
    EndSection

    """
  }
}
