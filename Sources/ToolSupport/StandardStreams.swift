import Glibc

/// Standard input, output and error of the tool.
enum StandardStreams {
  /// Opens those that the tool's caller has closed (`0<&- 1>&-`).
  ///
  /// Call it before anything else is opened: the connection to the X server would get a free number, and receive what is
  /// written to standard output. Reading or writing such a stream fails, as without it.
  static func openMissing() {
    for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) < 0 && errno == EBADF {
      // The lowest free number, for the ones before it are open.
      _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
