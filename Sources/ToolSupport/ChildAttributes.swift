public import Glibc

/// How programs are started that run beside a tool.
public enum ChildAttributes {
  /// In a group of its own, so that it can be ended as a whole, and Control-C on the terminal is not for it; and as programs
  /// expect them the signals that the tool itself ignores.
  public static func with<Result>(_ body: (UnsafeMutablePointer<posix_spawnattr_t>) -> Result) -> Result {
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
