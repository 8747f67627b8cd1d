package import Glibc

/// The attributes with which the tools start other programs.
package enum ChildAttributes {
  /// Calls the closure with `posix_spawn` attributes: a process group of its own, so that the program can be terminated
  /// with its children and Control-C does not reach it, and default actions for the signals that the tool ignores. The
  /// pointer is valid during the call only.
  package static func with<Result>(_ body: (UnsafeMutablePointer<posix_spawnattr_t>) -> Result) -> Result {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    sigaddset(&signals, SIGXFSZ)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    return body(&attributes)
  }
}
