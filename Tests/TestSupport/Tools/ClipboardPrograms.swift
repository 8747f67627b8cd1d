extension XServer {
  /// Starts a tool with `--json`.
  package func launchTool(_ tool: Tool, _ arguments: [String]) throws -> ChildProcess {
    try launch(BuiltProducts.executable(tool.rawValue), ["--json"] + arguments)
  }

  /// Starts `xdnd-source --clipboard`.
  package func launchCopy(_ arguments: [String]) throws -> ChildProcess {
    try launchTool(.source, ["--clipboard"] + arguments)
  }

  /// Starts `xdnd-probe --clipboard --checksum`.
  package func launchPaste(_ arguments: [String]) throws -> ChildProcess {
    try launchTool(.probe, ["--clipboard", "--checksum"] + arguments)
  }

  /// Starts Xfce's settings daemon, which is a clipboard manager too, and returns once it is.
  package func startClipboardManager() async throws -> ChildProcess {
    let connection = try DisplayConnection(displayName)
    let process = try launch("dbus-run-session", ["--", "xfsettingsd", "--disable-wm-check"])
    let isThere = try await onOwnThread {
      connection.awaitOwner(of: "CLIPBOARD_MANAGER", timeout: .seconds(60))
    }
    guard isThere else { throw process.failure("does not become a clipboard manager") }
    return process
  }
}
