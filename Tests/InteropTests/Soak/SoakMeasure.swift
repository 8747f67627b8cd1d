import Foundation
import Glibc
import TestSupport
import XDnD
import XDnDX11

/// What programs hold, in their own processes and in the X server.
struct SoakMeasure {
  struct Program {
    var isOurs: Bool
    /// Resident, in bytes, without what is shared with files.
    var memory: Int
    var descriptors: Int
    /// By the name of their type: `WINDOW`, `PIXMAP`.
    var resources: [String: Int]

    var windows: Int { resources["WINDOW", default: 0] }
    var pixmaps: Int { resources["PIXMAP", default: 0] }
    var others: Int { resources.values.reduce(0, +) - windows - pixmaps }
  }

  var programs: [String: Program] = [:]
  /// How many atoms the server has, without those that GTK 4 makes for each transfer.
  var atoms: Int

  init(_ running: [RunningProgram], on server: XServer) throws {
    let peer = try XlibPeer(server)
    // A new atom has the next number.
    let last = peer.atom("XDND_SOAK_\(getpid())_\(UInt64.random(in: 0...(.max)))")
    atoms = (1...last).count { !peer.name(ofAtom: $0).hasPrefix("GDK_SELECTION_") }
    let resources = ClientResources(peer.display)
    for running in running {
      let pid = running.process.pid
      let pages = try String(contentsOfFile: "/proc/\(pid)/statm", encoding: .utf8).split(separator: " ").compactMap {
        Int($0)
      }
      let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count
      programs[running.program.name] = Program(
        isOurs: running.program.isOurs, memory: (pages[1] - pages[2]) * Int(sysconf(Int32(_SC_PAGESIZE))),
        descriptors: descriptors,
        resources: resources?.counts(ofProcess: pid) ?? [:])
    }
  }
}

/// The X-Resource extension, by its library, which is loaded: the tests are not linked with it.
private struct ClientResources {
  // The structures of X11/extensions/XRes.h.
  private struct Client {
    var base: UInt
    var mask: UInt
  }

  private struct ResourceType {
    var type: UInt
    var count: UInt32
  }

  private struct IDSpec {
    var client: UInt
    var mask: UInt32
  }

  private struct IDValue {
    var spec: IDSpec
    var length: Int
    var value: UnsafeMutableRawPointer?
  }

  private typealias Result = UnsafeMutablePointer<UnsafeMutableRawPointer?>
  private typealias QueryClients = @convention(c) (OpaquePointer, UnsafeMutablePointer<Int32>, Result) -> Int32
  private typealias QueryResources = @convention(c) (OpaquePointer, UInt, UnsafeMutablePointer<Int32>, Result) -> Int32
  private typealias QueryIDs =
    @convention(c) (
      OpaquePointer, Int, UnsafeRawPointer, UnsafeMutablePointer<Int>, Result
    ) -> Int32
  private typealias ProcessOf = @convention(c) (UnsafeRawPointer) -> Int32

  private let display: OpaquePointer
  private let queryClients: QueryClients
  private let queryResources: QueryResources
  private let queryIDs: QueryIDs
  private let processOf: ProcessOf

  /// - Returns: `nil` if the library is not installed.
  init?(_ display: OpaquePointer) {
    guard let library = dlopen("libXRes.so.1", RTLD_NOW), let clients = dlsym(library, "XResQueryClients"),
      let resources = dlsym(library, "XResQueryClientResources"), let ids = dlsym(library, "XResQueryClientIds"),
      let process = dlsym(library, "XResGetClientPid")
    else { return nil }
    self.display = display
    queryClients = unsafeBitCast(clients, to: QueryClients.self)
    queryResources = unsafeBitCast(resources, to: QueryResources.self)
    queryIDs = unsafeBitCast(ids, to: QueryIDs.self)
    processOf = unsafeBitCast(process, to: ProcessOf.self)
  }

  /// How many resources of each type the connections of a process have.
  func counts(ofProcess pid: pid_t) -> [String: Int] {
    var count: Int32 = 0
    var list: UnsafeMutableRawPointer?
    guard queryClients(display, &count, &list) != 0, let list else { return [:] }
    defer { XFree(list) }
    let clients = UnsafeBufferPointer(start: list.assumingMemoryBound(to: Client.self), count: Int(count))
    var counts: [String: Int] = [:]
    for client in clients where process(of: client.base) == pid {
      var count: Int32 = 0
      var list: UnsafeMutableRawPointer?
      guard queryResources(display, client.base, &count, &list) != 0, let list else { continue }
      defer { XFree(list) }
      for type in UnsafeBufferPointer(start: list.assumingMemoryBound(to: ResourceType.self), count: Int(count)) {
        guard let name = XGetAtomName(display, type.type) else { continue }
        defer { XFree(name) }
        counts[String(cString: name), default: 0] += Int(type.count)
      }
    }
    return counts
  }

  private func process(of client: UInt) -> Int32 {
    // XRES_CLIENT_ID_PID_MASK
    var spec = IDSpec(client: client, mask: 2)
    var count = 0
    var list: UnsafeMutableRawPointer?
    guard queryIDs(display, 1, &spec, &count, &list) == Success, count > 0, let list else { return -1 }
    // XResClientIdsDestroy frees no more than these.
    defer { XFree(list) }
    return processOf(list)
  }
}
