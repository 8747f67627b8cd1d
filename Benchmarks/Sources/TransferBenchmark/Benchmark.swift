import CBareX11
import Glibc
import XDnD

/// Measures the throughput of INCR transfers with the library on neither, either and both sides, in one run on one
/// server.
///
/// The significant figure is the ratio to two bare Xlib clients: throughput depends on the machine.
@main
enum Benchmark {
  static let type = "application/x-benchmark"
  private static let rounds = 15

  enum Kind: String, CaseIterable {
    case bare, library

    /// The selection that an owner of this kind owns: one owner of each kind serves at the same time.
    var selection: String { self == .bare ? "PRIMARY" : "CLIPBOARD" }
  }

  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.first == "serve" { try serve(Array(arguments.dropFirst())) }
    let size = (arguments.first.flatMap { Int($0) } ?? 256) << 20
    print("| part | owner → requestor | MiB/s | to bare |\n| ---: | --- | ---: | ---: |")
    for part in [64 << 10, 256 << 10, 512 << 10, 1 << 20] {
      let servers = try Kind.allCases.map { try Server($0, size, part) }
      let pairs = Kind.allCases.flatMap { owner in Kind.allCases.map { (owner: owner, requestor: $0) } }
      // In turn: the machine may become slower in the meantime.
      var best = pairs.map { _ in Double.infinity }
      for _ in 0..<rounds {
        for (index, pair) in pairs.enumerated() {
          best[index] = min(best[index], try seconds(pair.requestor, from: pair.owner, size))
        }
      }
      for (pair, seconds) in zip(pairs, best) {
        let speed = Double(size) / Double(1 << 20) / seconds
        let ratio = (best[0] / seconds * 100).rounded() / 100
        print("| \(part >> 10) KiB | \(pair.owner) → \(pair.requestor) | \(Int(speed)) | \(ratio) |")
      }
      for server in servers { server.end() }
    }
  }

  /// How long one transfer takes.
  private static func seconds(_ requestor: Kind, from owner: Kind, _ size: Int) throws -> Double {
    func time(_ take: () throws -> Int) rethrows -> Double {
      let start = ContinuousClock.now
      guard try take() == size else { fatalError("not all has come") }
      return (ContinuousClock.now - start) / .seconds(1)
    }
    switch requestor {
    case .bare:
      let client = BareClient(selection: owner.selection)
      defer { XCloseDisplay(client.display) }
      return time { client.take() }
    case .library:
      let driver = try DragAndDrop()
      let clipboard = owner == .library ? driver.clipboard : driver.primarySelection
      return try time { try LibraryClient.take(clipboard, with: driver) }
    }
  }

  /// The main function of the owner's process.
  private static func serve(_ arguments: [String]) throws -> Never {
    guard arguments.count == 3, let kind = Kind(rawValue: arguments[0]), let size = Int(arguments[1]),
      let part = Int(arguments[2])
    else { fatalError("serve KIND SIZE PART") }
    let ready = { _ = write(STDOUT_FILENO, "\n", 1) }
    switch kind {
    case .bare: BareClient(selection: kind.selection).serve(size, part: part, whenReady: ready)
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
