import ArgumentParser
import Glibc
import XDnDConformance
import XDnDToolSupport
import XDnD
import XDnDToolWindow

/// The server of a subcommand that works without a driver.
struct ClientOptions: ParsableArguments {
  @Option(
    parsing: .unconditional, help: ArgumentHelp("X server to connect to. (default: $DISPLAY)", valueName: "display"))
  var display: String?

  var displayName: String? { display ?? getenv("DISPLAY").map { String(cString: $0) } }

  /// - Throws: `ExitCode`, after it has reported the failure.
  func connect() throws -> ScriptedClient {
    if let client = ScriptedClient(connectingTo: display) { return client }
    let name = displayName ?? ""
    throw ExitCode(.noDisplay, because: name.isEmpty ? "no display: DISPLAY is not set" : "cannot open display \(name)")
  }
}

extension WindowChoice {
  /// - Throws: `ExitCode`, after it has reported the failure.
  func resolve(by client: ScriptedClient, within timeout: Double? = nil) throws -> WindowID {
    do throws(Failure) {
      return try resolve(on: client.display, within: timeout)
    } catch {
      throw ExitCode(error.status, because: error.sentence)
    }
  }
}

extension ExitCode {
  init(_ status: ExitStatus) { self.init(status.rawValue) }

  /// Ends a run that prints reports.
  ///
  /// - Parameter sentence: The error message; `nil` if there was none, or if it has been printed.
  init(_ status: ExitStatus, because sentence: String? = nil, endOf reporter: Reporter) {
    reporter.printEnd(status, sentence)
    if let sentence { self.init(status, because: sentence) } else { self.init(status) }
  }

  /// Runs a command that prints reports, and returns its exit code, also if the run cannot begin.
  static func end(of reporter: Reporter, after run: () throws -> ExitStatus) throws -> ExitCode {
    do {
      return ExitCode(try run(), endOf: reporter)
    } catch let failure as WindowChoice.Failure {
      return ExitCode(failure.status, because: failure.sentence, endOf: reporter)
    } catch let error as XDnDError {
      return ExitCode(ExitStatus(error), because: error.message, endOf: reporter)
    }
  }

  /// Prints an error message, for a command that ends with it.
  init(_ status: ExitStatus, because sentence: String) {
    Reporter.printError("xdnd-probe", sentence)
    self.init(status)
  }
}

extension DriverSession {
  init(_ driver: DragAndDrop, _ options: SharedOptions, _ reporter: Reporter) {
    self.init(driver, options, reporter, of: "xdnd-probe")
  }

  /// Creates a window on the driver's connection. Its Close button ends the loop.
  ///
  /// - Parameter isShown: Whether the window will be shown.
  func makeWindow(
    title: String, focusModel: FocusModel = .passive, isShown: Bool = true
  ) throws(XDnDError) -> ToolWindow {
    guard let display = driver.display else { throw .displayClosed }
    let window = ToolWindow(
      display: display, title: title, applicationName: tool, geometry: options.geometry,
      defaultSize: PixelSize(width: 400, height: 420), scale: driver.desktopAppearance.scale,
      focusModel: focusModel)
    window.onClose = { [loop] in loop.stop(.cancelled) }
    connect(window, isShown: isShown)
    return window
  }
}
