import Glibc
import XDnD

/// Measures the throughput of INCR transfers with the library on neither, either and both sides, in one run on one
/// server.
///
/// The significant figure is the ratio to two bare Xlib clients: throughput depends on the machine.
@main
enum Benchmark {
  static let type = "application/x-benchmark"
  private static let rounds = 5

  enum Kind: String, CaseIterable {
    case bare, library
  }

  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.first == "serve" { try serve(Array(arguments.dropFirst())) }
    let size = (arguments.first.flatMap { Int($0) } ?? 256) << 20
    print("| part | owner → requestor | MiB/s | to bare |\n| ---: | --- | ---: | ---: |")
    for part in [64 << 10, 256 << 10, 512 << 10, 1 << 20] {
      var bare: Double?
      for owner in Kind.allCases {
        let child = try Server(owner, size, part)
        for requestor in Kind.allCases {
          let seconds = try best(of: requestor, size)
          let speed = Double(size) / Double(1 << 20) / seconds
          if bare == nil { bare = speed }
          let ratio = speed / (bare ?? speed)
          print(
            "| \(part >> 10) KiB | \(owner) → \(requestor) | \(Int(speed)) | \((ratio * 100).rounded() / 100) |")
        }
        child.end()
      }
    }
  }

  private static func best(of kind: Kind, _ size: Int) throws -> Double {
    let take: () throws -> Int
    switch kind {
    case .bare:
      let client = BareClient()
      take = { client.take() }
    case .library:
      let driver = try DragAndDrop()
      take = { try LibraryClient.take(with: driver) }
    }
    var best = Double.infinity
    for _ in 0..<rounds {
      let start = ContinuousClock.now
      guard try take() == size else { fatalError("not all has come") }
      best = min(best, (ContinuousClock.now - start) / .seconds(1))
    }
    return best
  }

  /// The main function of the owner's process.
  private static func serve(_ arguments: [String]) throws -> Never {
    guard arguments.count == 3, let kind = Kind(rawValue: arguments[0]), let size = Int(arguments[1]),
      let part = Int(arguments[2])
    else { fatalError("serve KIND SIZE PART") }
    let ready = { _ = write(STDOUT_FILENO, "\n", 1) }
    switch kind {
    case .bare: BareClient().serve(size, part: part, whenReady: ready)
    case .library: try LibraryClient.serve(size, part: part, whenReady: ready)
    }
  }

  private final class Server {
    private let process: pid_t

    /// Starts the owner's process, and returns when it owns the selection.
    init(_ kind: Kind, _ size: Int, _ part: Int) throws {
      var ends: [CInt] = [-1, -1]
      guard pipe(&ends) == 0 else { fatalError("no pipe") }
      defer { for end in ends { close(end) } }
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
      let words: [String] = ["/proc/self/exe", "serve", kind.rawValue, String(size), String(part)]
      var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
      defer { for argument in arguments { free(argument) } }
      var child = pid_t()
      guard posix_spawn(&child, "/proc/self/exe", &actions, nil, &arguments, environ) == 0 else {
        fatalError("cannot start the other process")
      }
      process = child
      var byte: UInt8 = 0
      guard read(ends[0], &byte, 1) == 1 else { fatalError("the other process does not begin") }
    }

    func end() {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
  }
}
