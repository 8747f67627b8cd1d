import ArgumentParser
import Glibc
import ScriptedClient
import ToolSupport

/// Connects a scripted client to a display, by default that of `DISPLAY`.
///
/// - Throws: `ExitCode`, after it has reported the failure.
func connectedClient(to display: String?) throws -> ScriptedClient {
  if let client = ScriptedClient(connectingTo: display) { return client }
  let name = display ?? getenv("DISPLAY").map { String(cString: $0) } ?? ""
  Reporter.complain("xdnd-probe", name.isEmpty ? "no display: DISPLAY is not set" : "cannot open display \(name)")
  throw ExitCode(ExitStatus.noDisplay.rawValue)
}
