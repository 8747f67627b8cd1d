internal import XDnDFiles
internal import Glibc

final class OperationRunner {
  private let operation: FileOperation
  private let trash: Trash
  private let meter: Meter
  private let conflicts: ConflictChannel
  private var results: [ItemResult?]
  private var steps: [Undoable.Step] = []
  /// Items whose names are taken. The owner has been asked about the first.
  private var waiting: [(item: Int, existing: RawPath)] = []
  /// The choice that applies to all conflicts; `nil` asks.
  private var standing: ConflictChoice?
  /// The sizes in bytes of the items that are part of the total.
  private var sizes: [Int: Int] = [:]
  var allowsUnnamed = true

  init(_ operation: FileOperation, trash: Trash, meter: Meter, conflicts: ConflictChannel) {
    self.operation = operation
    self.trash = trash
    self.meter = meter
    self.conflicts = conflicts
    results = Array(repeating: nil, count: operation.sources.count)
    standing = if case .always(let choice) = operation.conflicts { choice } else { nil }
  }

  func run() -> OperationReport {
    meter.begin(items: operation.sources.count)
    do {
      let directory = try Directory.open(operation.destination, heldBy: operation.holder)
      try runAll(to: Placement(directory, trash: trash))
    } catch {
      let outcome: ItemResult.Outcome = error == .cancelled ? .cancelled : .failed(error)
      for index in results.indices where results[index] == nil { results[index] = result(index, outcome) }
    }
    return OperationReport(results: results.compactMap { $0 }, undoable: Undoable(steps))
  }

  private func runAll(to placement: Placement) throws(FileError) {
    for index in results.indices { try measure(index, placement) }
    for index in results.indices where results[index] == nil {
      if !waiting.isEmpty, let answer = conflicts.takeAnswer() { try apply(answer, placement) }
      try attempt(index, placement, choice: standing)
    }
    while !waiting.isEmpty {
      guard let answer = conflicts.waitForAnswer() else { throw .cancelled }
      try apply(answer, placement)
    }
  }

  /// Counts the bytes to copy. An item that cannot be copied fails here, before the first copy begins.
  private func measure(_ index: Int, _ placement: Placement) throws(FileError) {
    guard operation.kind != .link else { return }
    do {
      let location = try Location(operation.sources[index])
      let directory = try Directory.open(location.parent)
      if operation.kind == .move,
        try directory.status().identity.device == placement.destination.status().identity.device
      {
        return
      }
      try measure(index, location.name, in: directory)
    } catch {
      if error == .cancelled { throw error }
      results[index] = result(index, .failed(error))
    }
  }

  private func measure(_ index: Int, _ name: RawPath, in directory: Directory) throws(FileError) {
    guard sizes[index] == nil else { return }
    let size = try Copier(meter: meter).measure(name, in: directory)
    meter.expect(bytes: size)
    sizes[index] = size
  }

  private func apply(_ answer: ConflictChannel.Answer, _ placement: Placement) throws(FileError) {
    try attempt(waiting.removeFirst().item, placement, choice: answer.choice)
    if answer.isForAll {
      standing = answer.choice
      while !waiting.isEmpty { try attempt(waiting.removeFirst().item, placement, choice: answer.choice) }
    }
    if let next = waiting.first { ask(next, placement) }
  }

  private func ask(_ entry: (item: Int, existing: RawPath), _ placement: Placement) {
    var conflict = Conflict(source: operation.sources[entry.item], existing: entry.existing)
    conflict.existingStatus = try? placement.destination.status(of: entry.existing.lastName)
    if operation.kind != .link { conflict.newStatus = try? FileStatus(of: conflict.source, in: AT_FDCWD) }
    conflict.hasMore = results.indices.contains { $0 != entry.item && results[$0] == nil }
    conflicts.ask(conflict)
  }

  private func result(
    _ index: Int, _ outcome: ItemResult.Outcome, replaced: TrashedFile? = nil, isDirectory: Bool = false
  ) -> ItemResult {
    ItemResult(source: operation.sources[index], outcome: outcome, replaced: replaced, isDirectory: isDirectory)
  }

  /// - Throws: Only ``FileError/cancelled``; other errors become the item's result.
  private func attempt(_ index: Int, _ placement: Placement, choice: ConflictChoice?) throws(FileError) {
    do {
      results[index] = try perform(index, placement, choice: choice)
    } catch {
      if error == .cancelled { throw error }
      // A copy that could not be finished is removed by now.
      let failure = error.counting(needed: sizes[index], free: placement.destination.freeBytes)
      results[index] = result(index, .failed(failure))
    }
  }

  // MARK: One item

  /// - Returns: The result; `nil` if the item waits for an answer.
  private func perform(_ index: Int, _ placement: Placement, choice: ConflictChoice?) throws(FileError) -> ItemResult? {
    let location = try Location(operation.sources[index])
    let name = location.name
    try meter.begin(item: index, name)
    let source = try Directory.open(location.parent)
    let status = try source.status(of: name)
    if placement.destination.handle.isGone { throw placement.destination.failure(ENOENT) }
    let isInDestination = try source.status().identity == placement.destination.status().identity
    if isInDestination, operation.kind == .move { return result(index, .skipped("already in this folder")) }
    if operation.kind != .link, status.kind == .directory, try placement.destination.isWithin(status.identity) {
      let verb = operation.kind == .copy ? "copied" : "moved"
      throw FileError("\(name.quoted) cannot be \(verb) into itself")
    }
    var rule = Placement.Rule.refuse
    if isInDestination {
      rule = .keepBoth
    } else if try placement.destination.holds(name) {
      switch choice {
      case nil:
        waiting.append((index, placement.path.appending(name)))
        if waiting.count == 1 { ask(waiting[0], placement) }
        return nil
      case .skip: return result(index, .skipped("already exists here"))
      case .keepBoth: rule = .keepBoth
      case .replace:
        let existing = try placement.destination.status(of: name)
        if existing.kind == .directory, try source.isWithin(existing.identity) {
          throw FileError("\(name.quoted) is inside the item that it would replace")
        }
        rule = .replace
      }
    }
    do {
      return try carryOut(index, name, status, from: source, placement, rule)
    } catch {
      // Another process has taken the name in the meantime.
      guard error.code == EEXIST, rule == .refuse, try placement.destination.holds(name) else { throw error }
      return try perform(index, placement, choice: choice)
    }
  }

  private func carryOut(
    _ index: Int, _ name: RawPath, _ status: FileStatus, from source: Directory, _ placement: Placement,
    _ rule: Placement.Rule
  ) throws(FileError) -> ItemResult {
    let isDirectory = status.kind == .directory
    let target = placement.destination
    switch operation.kind {
    case .link:
      let original = source.resolvedPath.appending(name)
      let placed = try placement.place(name, isDirectory: isDirectory, rule: rule) { new throws(SystemError) in
        try target.handle.makeLink(new, to: original)
      }
      let path = noteCreated(placed, placement)
      return result(index, .linked(to: path), replaced: placed.replaced, isDirectory: isDirectory)
    case .copy:
      try measure(index, name, in: source)
      let copier = Copier(meter: meter, allowsUnnamed: allowsUnnamed)
      let (staged, entry) = try copier.stage(name, in: source, to: target)
      let placed = try placement.place(name, isDirectory: isDirectory, rule: rule) { new throws(SystemError) in
        try staged.publish(as: new)
      }
      let path = noteCreated(placed, placement)
      // The copy is complete and has its name: a failed sync of the directory is no reason to remove it.
      try? target.sync()
      return result(
        index, .copied(to: path, bytes: entry.bytes), replaced: placed.replaced, isDirectory: isDirectory)
    case .move:
      let original = source.resolvedPath.appending(name)
      let mover = Mover(meter: meter, allowsUnnamed: allowsUnnamed) { [self] () throws(FileError) in
        try measure(index, name, in: source)
      }
      let moved = try mover.move(name, isDirectory: isDirectory, from: source, placement, rule)
      if let replaced = moved.replaced { steps.append(.trashed(replaced)) }
      if let step = moved.inverse(to: original, in: placement) { steps.append(step) }
      return result(index, moved.outcome(in: placement), replaced: moved.replaced, isDirectory: isDirectory)
    }
  }

  private func noteCreated(_ placed: (name: RawPath, replaced: TrashedFile?), _ placement: Placement) -> RawPath {
    let path = placement.path.appending(placed.name)
    if let replaced = placed.replaced { steps.append(.trashed(replaced)) }
    if let fingerprint = try? Fingerprint(of: placed.name, in: placement.destination) {
      steps.append(.created(path, fingerprint))
    }
    return path
  }
}
