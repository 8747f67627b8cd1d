import TestSupport
import Testing

@testable import XDnD

/// What is put on a window of another client, and taken back.
@Suite("The proxy of another client's window", .computing)
struct ProxyMachineTests {
  private typealias Machine = ProxyMachine

  private static let proxy = WindowID(rawValue: 0x10)
  private static let other = WindowID(rawValue: 0x20)
  private static let version3 = PropertyValue(type: .atom, contents: .words([3]))

  private static func machine(_ change: (inout ForeignWindow) -> Void = { _ in }) throws -> Machine {
    var window = ForeignWindow()
    change(&window)
    return try Machine(claiming: window)
  }

  private static let forgotten: [Machine.Effect] = [
    .delete(.xdndSavedBy), .delete(.xdndSavedAware), .delete(.xdndSavedProxy),
  ]

  @Test func `what is replaced is saved first`() throws {
    let machine = try Self.machine { $0.aware = Self.version3 }
    #expect(
      machine.claim(for: Self.proxy) == [
        .write(Self.version3, to: .xdndSavedAware), .delete(.xdndSavedProxy),
        .write(.window(Self.proxy), to: .xdndSavedBy), .write(.window(Self.proxy), to: .xdndProxy),
        .write(.advertisedAwareness, to: .xdndAware),
      ])
  }

  @Test func `a window without properties has none at the end`() throws {
    var machine = try Self.machine()
    #expect(
      machine.receive(.release) == [.delete(.xdndAware), .delete(.xdndProxy)] + Self.forgotten + [.ended(.released)])
    #expect(machine.receive(.release) == [])
  }

  @Test func `a window has its own properties at the end`() throws {
    var machine = try Self.machine {
      $0.aware = Self.version3
      $0.proxy = .init(Self.other, .unrelated)
    }
    #expect(
      machine.receive(.release) == [
        .write(Self.version3, to: .xdndAware), .write(.window(Self.other), to: .xdndProxy),
      ] + Self.forgotten + [.ended(.released)])
  }

  @Test func `a proxy that is gone is not restored`() throws {
    var machine = try Self.machine { $0.proxy = .init(Self.other, .gone) }
    #expect(machine.receive(.release).contains(.delete(.xdndProxy)))
  }

  @Test(arguments: [ForeignWindow.Link.State.gone, .unrelated])
  func `what a killed program has left over is replaced, and what it has saved is restored`(
    _ state: ForeignWindow.Link.State
  ) throws {
    var machine = try Self.machine {
      $0.aware = .advertisedAwareness
      $0.proxy = .init(Self.other, state)
      $0.savedBy = .init(Self.other, state)
      $0.savedAware = Self.version3
    }
    #expect(machine.claim(for: Self.proxy).first == .write(Self.version3, to: .xdndSavedAware))
    #expect(
      machine.receive(.release) == [.write(Self.version3, to: .xdndAware), .delete(.xdndProxy)] + Self.forgotten
        + [.ended(.released)])
  }

  @Test func `a window that has become aware after the kill stays so`() throws {
    let four = PropertyValue(type: .atom, contents: .words([4]))
    var machine = try Self.machine {
      $0.aware = four
      $0.proxy = .init(Self.other, .gone)
      $0.savedBy = .init(Self.other, .gone)
    }
    #expect(machine.receive(.release).first == .write(four, to: .xdndAware))
  }

  @Test func `what cannot be claimed is refused, each for its reason`() {
    func refusal(_ window: ForeignWindow?) -> Machine.Refusal? {
      do throws(Machine.Refusal) {
        _ = try Machine(claiming: window)
        return nil
      } catch {
        return error
      }
    }
    #expect(refusal(nil) == .noWindow)
    var window = ForeignWindow()
    window.isRoot = true
    #expect(refusal(window) == .rootWindow)
    window = ForeignWindow()
    window.proxy = .init(Self.other, .proxy)
    #expect(refusal(window) == .proxied(by: Self.other))
    window.savedBy = .init(Self.other, .proxy)
    #expect(refusal(window) == .registered(by: Self.other))
  }

  @Test func `a window that becomes aware by itself is left alone`() throws {
    var machine = try Self.machine()
    #expect(
      machine.receive(.propertyChanged(.xdndAware)) == [.delete(.xdndProxy)] + Self.forgotten + [.ended(.replaced)])
    #expect(machine.receive(.release) == [])
  }

  @Test func `a window that gets another proxy keeps it`() throws {
    var machine = try Self.machine()
    #expect(machine.receive(.propertyChanged(.xdndProxy)) == Self.forgotten + [.ended(.replaced)])
  }

  @Test func `of two that claim a window at once, the first leaves everything to the second`() throws {
    var machine = try Self.machine()
    #expect(machine.receive(.propertyChanged(.xdndSavedBy)) == [.ended(.replaced)])
  }

  @Test func `a window that is destroyed needs nothing`() throws {
    var machine = try Self.machine()
    #expect(machine.receive(.windowVanished) == [.ended(.destroyed)])
  }

  @Test func `a source that leaves with the pointer over the window finds the proxy there`() throws {
    var machine = try Self.machine()
    #expect(machine.receive(.left) == [.findPointer])
    #expect(machine.receive(.pointerFound(isOver: true)) == [.cover])
    #expect(machine.receive(.left) == [])
    #expect(machine.receive(.uncover) == [.uncover])
    #expect(machine.receive(.uncover) == [])
  }

  @Test func `a source that leaves with its pointer finds nothing`() throws {
    var machine = try Self.machine()
    #expect(machine.receive(.left) == [.findPointer])
    #expect(machine.receive(.pointerFound(isOver: false)) == [])
    #expect(machine.receive(.left) == [.findPointer])
    #expect(machine.receive(.uncover) == [])
    #expect(machine.receive(.pointerFound(isOver: true)) == [])
  }

  @Test func `a window that is released is not covered any more`() throws {
    var machine = try Self.machine()
    _ = machine.receive(.left)
    _ = machine.receive(.pointerFound(isOver: true))
    #expect(machine.receive(.release).first == .uncover)
  }
}
