import Foundation
import Glibc
import TestSupport
import Testing
import XDnD
import XDnDX11

/// Random drags between random programs, for `scripts/soak`.
@Suite(
  "Random drags between random programs", .serialized, .requiresXvfb, .requiresGTK3, .requiresGTK4, .requiresQt5,
  .requiresQt6, .timeLimit(.minutes(170)))
struct SoakTests {
  private static let environment = ProcessInfo.processInfo.environment
  static let count = environment["XDND_SOAK"].flatMap { Int($0) }

  @Test(.enabled(if: count != nil, "scripts/soak"))
  func `no drag is lost, and no program of ours grows`() async throws {
    let seed = Self.environment["XDND_SOAK_SEED"].flatMap { UInt64($0) } ?? 1
    let soak = try await Soak(seed: seed, host: Self.environment["XDND_SOAK_HOST"])
    let result: Result<Void, any Error>
    do { result = .success(try await soak.run(Self.count ?? 0)) } catch { result = .failure(error) }
    try await soak.end()
    print(soak.report)
    try result.get()
    #expect(soak.losses.isEmpty, "seed \(seed): \(soak.losses.joined(separator: "\n"))")
    #expect(soak.growth.isEmpty, "seed \(seed): \(soak.growth.joined(separator: "\n"))")
  }
}

/// One display with all programs on it, and the hand that drags between them.
final class Soak {
  /// How a drag ends.
  enum Fate: String, CaseIterable {
    case dropped, cancelled, nowhere
    case sourceKilled = "source killed"
    case targetKilled = "target killed"
    case targetKilledAfterDrop = "target killed after the drop"
    case sourceKilledAfterDrop = "source killed after the drop"
  }

  private let server: XServer
  private let pointer: Pointer
  private let directory: TemporaryDirectory
  private let expectation: SoakExpectation
  private let blob: String
  private let seed: UInt64
  private var random: SplitMix64
  private var running: [RunningProgram] = []
  private var counts: [Fate: Int] = [:]
  private var pairs: Set<String> = []
  /// Whether the last drag was a toolkit's, and failed.
  private var givesUp = false
  /// How many drags a toolkit did not begin.
  private var unbegun = 0
  private(set) var losses: [String] = []
  /// The last drags, newest last: what a program does after its drag may disturb the next one.
  private var recent: [String] = []
  private(set) var growth: [String] = []
  private var first: SoakMeasure?
  private var last: SoakMeasure?
  private var began = ContinuousClock.now

  /// Where no window is; root coordinates.
  private static let nowhere = Point(x: 700, y: 780)
  private static let columns = 6
  private static let cell = (width: 250, height: 250)

  init(seed: UInt64, host: String?) async throws {
    self.seed = seed
    random = SplitMix64(seed: seed)
    directory = try TemporaryDirectory("soak")
    let bytes = TestContent.bytes(1 << 20)
    blob = try directory.write(bytes, to: "blob")
    let file = try directory.write("file".utf8, to: "file.txt")
    expectation = SoakExpectation(file: file, blob: Digest(bytes))
    server = try await XServer.start(width: 1520, height: 800)
    pointer = try Pointer(server)
    for (index, program) in SoakProgram.all(file: file, blob: blob, host: host).enumerated() {
      running.append(try await start(program, at: index))
    }
  }

  func end() async throws {
    for running in running {
      running.process.kill()
      _ = try await running.process.exit()
    }
    try await server.terminate()
  }

  // MARK: The programs

  private func start(_ program: SoakProgram, at index: Int) async throws -> RunningProgram {
    let frame = Rect(
      x: index % Self.columns * Self.cell.width + 10, y: index / Self.columns * Self.cell.height + 10, width: 200,
      height: 200)
    // What a peer takes is read when it starts, too.
    try post(.text(SoakProgram.words), operation: "copy")
    let process = try program.start(server, frame)
    guard let title = program.title else {
      return RunningProgram(program: program, process: process, place: try await DragScene.readyPoint(of: process))
    }
    let peer = try XlibPeer(server)
    while !peer.place(windowTitled: title, at: frame.origin) { try await Task.sleep(for: .milliseconds(20)) }
    return RunningProgram(program: program, process: process, place: frame.middle)
  }

  private func restart(_ index: Int) async throws {
    running[index].process.kill()
    _ = try await running[index].process.exit()
    running[index] = try await start(running[index].program, at: index)
  }

  /// Says to the toolkits what the next drag is about.
  private func post(_ content: SoakContent, operation: String) throws {
    var task: PeerTask
    switch content {
    case .text(let text): task = PeerTask(kind: "text", text: text)
    case .file: task = PeerTask(kind: "files", uris: ["file://\(expectation.file)"])
    case .blob: task = PeerTask(kind: "data", path: blob, type: SoakProgram.blobType)
    }
    task.actions = [operation]
    try task.post(on: server)
  }

  // MARK: Drags

  func run(_ count: Int) async throws {
    began = .now
    for number in 1...count {
      // The first tenth fills caches.
      if number == max(2, count / 10) { first = try await measure() }
      try await drag(number)
      if losses.count >= 10 { break }
    }
    last = try await measure()
    compare()
  }

  private func drag(_ number: Int) async throws {
    let sources = running.indices.filter { !running[$0].program.drags.isEmpty }
    let source = random.pick(sources)
    let content = random.pick(running[source].program.drags)
    // What toolkits lose among themselves is not this package's.
    let targets = running.indices.filter {
      $0 != source && running[$0].program.takes.contains(content.kind)
        && (running[source].program.isOurs || running[$0].program.isOurs)
    }
    let target = random.pick(targets)
    let fate = pickFate(source, target)
    let canMove = running[source].program.canMove && running[target].program.canMove && content.kind == "text"
    // GTK 3 does not take Shift and Escape for Escape.
    let operation = canMove && fate != .cancelled && random.oneIn(3) ? "move" : "copy"
    let what =
      "drag \(number): \(running[source].program.name) → \(running[target].program.name), \(content.kind), \(operation), \(fate.rawValue)"
    recent = recent.suffix(3) + [what]
    do {
      guard try await drag(from: source, to: target, content, operation, fate) else {
        throw HarnessError("something else arrived, or was said")
      }
      counts[fate, default: 0] += 1
      pairs.insert("\(running[source].program.name) → \(running[target].program.name)")
    } catch {
      let said = [source, target].map { index in
        let process = running[index].process
        return (process.output.completeLines.suffix(6) + process.errors.completeLines.suffix(12)).joined(
          separator: "\n")
      }
      let before = recent.dropLast().map { "after \($0)\n" }.joined()
      losses.append("\(what): \(error)\n\(before)\(said.joined(separator: "\n→\n"))")
      print("lost: \(losses[losses.count - 1])")
      try pointer.tap(key: "Escape")
      pointer.release()
      try pointer.release(key: "Shift_L")
      try await restart(source)
      try await restart(target)
    }
  }

  private func pickFate(_ source: Int, _ target: Int) -> Fate {
    if running[source].program.isVictim, random.oneIn(3) {
      return random.pick([.sourceKilled, .sourceKilledAfterDrop])
    }
    if running[target].program.isVictim, random.oneIn(3) {
      return random.pick([.targetKilled, .targetKilledAfterDrop])
    }
    // The host in Swift does not say when a drag ends that was not dropped, and may hold the pointer until then.
    guard random.oneIn(8), running[source].program.speech != .swift else { return .dropped }
    return running[source].program.hearsEscape ? random.pick([.cancelled, .nowhere]) : .nowhere
  }

  /// - Returns: Whether both programs say what has happened.
  private func drag(
    from source: Int, to target: Int, _ content: SoakContent, _ operation: String, _ fate: Fate
  ) async throws -> Bool {
    let (from, to) = (running[source], running[target])
    try post(content, operation: operation)
    if givesUp { try await awaitRest(before: from.program) }
    givesUp = !from.program.isOurs && [.cancelled, .nowhere].contains(fate)
    pointer.move(to: from.place)
    if operation == "move" { try pointer.press(key: "Shift_L") }
    defer { if operation == "move" { try? pointer.release(key: "Shift_L") } }
    try await pointer.drag(along: path(from: from.place, to: to.place), steps: 3, pace: .milliseconds(6))
    if from.program.speech == .peer {
      guard (try? await from.process.waitFor("drag-begin", timeout: .seconds(3))) != nil else {
        // GTK 4 does not take each press and motion for a drag.
        pointer.release()
        unbegun += 1
        return true
      }
    }
    try await pointer.hover { [pointer] in try await pointer.awaitCursor("dnd-\(operation)") }
    switch fate {
    case .dropped:
      pointer.release()
      let isWhole = try await to.takes(content, expectation)
      let isTaken = try await from.dragEnd()
      return isWhole && isTaken != false
    case .cancelled:
      try pointer.tap(key: "Escape")
      let isTaken = try await from.dragEnd()
      pointer.release()
      return isTaken != true
    case .nowhere:
      try await pointer.glide(to: Self.nowhere, steps: 4, pace: .milliseconds(6))
      // Qt drops on the window that has accepted last if the button goes up before it has noticed that the pointer has left.
      try await pointer.hover { [pointer] in try await pointer.awaitCursor(otherThan: "dnd-\(operation)") }
      pointer.release()
      return try await from.dragEnd() != true
    case .sourceKilled, .sourceKilledAfterDrop:
      if fate == .sourceKilledAfterDrop { pointer.release() }
      try await restart(source)
      pointer.release()
      // Toolkits, or their peers, take the next drag for this one.
      if !to.program.isOurs { try await restart(target) }
    case .targetKilled, .targetKilledAfterDrop:
      if fate == .targetKilledAfterDrop { pointer.release() }
      to.process.kill()
      pointer.release()
      // GTK 3 waits for ever.
      if from.program.isOurs { _ = try await from.dragEnd() } else { try await restart(source) }
      try await restart(target)
    }
    return true
  }

  /// The way between two windows along the gaps between all windows, so that the cursor can speak of these two only.
  private func path(from start: Point, to end: Point) -> [Point] {
    func gap(_ place: Point) -> Int { place.y / Self.cell.height * Self.cell.height + Self.cell.height - 15 }
    let side = end.x / Self.cell.width * Self.cell.width + 2
    return [start, Point(x: start.x, y: gap(start)), Point(x: side, y: gap(start)), Point(x: side, y: end.y), end]
  }

  /// Waits until a toolkit whose drag has failed has released the pointer, which GTK 4 may do after it has said so, and for
  /// other toolkits the selection: GTK 4 releases it when its image has flown back, and they do not see that it is not theirs.
  private func awaitRest(before program: SoakProgram) async throws {
    let peer = try XlibPeer(server)
    let selection = peer.atom("XdndSelection")
    let limit = ContinuousClock.now + .seconds(2)
    func isBusy() -> Bool {
      let time = Time(CurrentTime)
      let root = XDefaultRootWindow(peer.display)
      let grab = XGrabPointer(peer.display, root, 0, 0, GrabModeAsync, GrabModeAsync, 0, 0, time)
      XUngrabPointer(peer.display, time)
      peer.sync()
      return grab != GrabSuccess || !program.isOurs && XGetSelectionOwner(peer.display, selection) != 0
    }
    while isBusy(), .now < limit { try await Task.sleep(for: .milliseconds(20)) }
  }

  // MARK: What they hold

  private func measure() async throws -> SoakMeasure {
    pointer.move(to: Self.nowhere)
    // Animations end, and content is released.
    try await Task.sleep(for: .seconds(2))
    return try SoakMeasure(running, on: server)
  }

  private func compare() {
    // A program makes each cursor when it needs it first: after fewer drags than these, there are new ones.
    guard let first, let last, counts.values.reduce(0, +) >= 500 else { return }
    for (name, after) in last.programs.sorted(by: { $0.key < $1.key }) {
      guard let before = first.programs[name], after.isOurs else { continue }
      if after.descriptors > before.descriptors {
        growth.append("\(name): \(before.descriptors) descriptors became \(after.descriptors)")
      }
      if after.memory > before.memory + 4 << 20 {
        growth.append("\(name): \(before.memory >> 10) KiB became \(after.memory >> 10) KiB")
      }
      for (type, count) in after.resources where count > before.resources[type, default: 0] + 2 {
        growth.append("\(name): \(before.resources[type, default: 0]) of \(type) became \(count)")
      }
    }
  }

  /// Tables: what was done, and what each program held.
  var report: String {
    let time = ContinuousClock.now - began
    var lines = [
      "seed \(seed), \(counts.values.reduce(0, +)) drags between \(pairs.count) pairs in \(time.components.seconds) s, \(losses.count) lost",
      "", "| drags | number |", "| --- | ---: |",
    ]
    lines += Fate.allCases.map { "| \($0.rawValue) | \(counts[$0, default: 0]) |" }
    lines.append("| not begun by a toolkit | \(unbegun) |")
    guard let first, let last else { return lines.joined(separator: "\n") }
    lines += [
      "", "| program | KiB | descriptors | windows | pixmaps | others |", "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for (name, after) in last.programs.sorted(by: { $0.key < $1.key }) {
      guard let before = first.programs[name] else { continue }
      let columns = [
        "\(before.memory >> 10) → \(after.memory >> 10)", "\(before.descriptors) → \(after.descriptors)",
        "\(before.windows) → \(after.windows)", "\(before.pixmaps) → \(after.pixmaps)",
        "\(before.others) → \(after.others)",
      ]
      lines.append("| \(name) | \(columns.joined(separator: " | ")) |")
    }
    lines += ["", "Atoms of the server: \(first.atoms) → \(last.atoms)."]
    return lines.joined(separator: "\n")
  }
}

extension XlibPeer {
  private func name(of window: Window) -> String {
    var name: UnsafeMutablePointer<CChar>?
    guard XFetchName(display, window, &name) != 0, let name else { return "" }
    defer { XFree(name) }
    return String(cString: name)
  }

  /// Moves the top-level window with this title that is not where windows of the soak are.
  ///
  /// - Returns: Whether there is one.
  fileprivate func place(windowTitled title: String, at point: Point) -> Bool {
    var (root, parent): (Window, Window) = (0, 0)
    var children: UnsafeMutablePointer<Window>?
    var count: UInt32 = 0
    guard XQueryTree(display, XDefaultRootWindow(display), &root, &parent, &children, &count) != 0 else { return false }
    defer { if let children { XFree(children) } }
    for window in UnsafeBufferPointer(start: children, count: Int(count)) {
      var attributes = XWindowAttributes()
      guard name(of: window) == title, XGetWindowAttributes(display, window, &attributes) != 0,
        attributes.map_state == IsViewable, attributes.width == 200, attributes.x == 0 || attributes.x == 40
      else { continue }
      XMoveWindow(display, window, Int32(point.x), Int32(point.y))
      sync()
      return true
    }
    return false
  }
}
