/// What the registered windows accept, and who handles their drags: a delegate or ``DropRegions``.
///
/// The windows' half of the protocol is ``DropTargets``. Only the ``DragAndDrop`` retains this object.
final class DropWindows: DropHost {
  struct Registration {
    weak var delegate: (any DropDelegate)?
    let offer: DropOffer
    /// The window's regions, if it was registered with any. They are then its delegate.
    let regions: DropRegions?

    /// Whether the window has no delegate any more: the host has not kept it, and all drags are refused.
    var isDelegateReleased: Bool { regions == nil && delegate == nil }

    /// The parts in which the window takes drops, if these are all in regions that have a frame.
    var parts: [Rect]? {
      guard let regions, regions.delegate == nil, offer.types.isEmpty else { return nil }
      return regions.frames
    }

    /// The delegate that handles a drag; `nil` if it has refused the drag.
    func delegate(for drop: DropSession) -> (any DropDelegate)? {
      // Regions may accept what the window's delegate refuses.
      if let regions { return regions }
      return drop.isRefused ? nil : delegate
    }
  }

  private let reactor: Reactor
  private let typeDatabase: TypeDatabase
  private let reducesMotion: Bool?
  private var registrations: [WindowID: Registration] = [:]
  /// The registrations of windows that are about to be unregistered first: until then their drags have the old delegate.
  private var successors: [WindowID: Registration] = [:]

  /// - Parameter reducesMotion: Whether regions open without flashing; `nil` for the desktop's setting.
  init(_ reactor: Reactor, typeDatabase: TypeDatabase, reducesMotion: Bool?) {
    self.reactor = reactor
    self.typeDatabase = typeDatabase
    self.reducesMotion = reducesMotion
  }

  subscript(window: WindowID) -> Registration? { registrations[window] }

  // MARK: Registration

  func register(_ window: WindowID, accepting offer: DropOffer, delegate: any DropDelegate) {
    let offer = offer.using(typeDatabase)
    register(window, Registration(delegate: delegate, offer: offer, regions: nil))
  }

  /// - Parameter delegate: Handles drags where no region accepts the content.
  func register(
    _ window: WindowID, accepting offer: DropOffer, delegate: (any DropDelegate)?, regions: [DropRegion]
  ) {
    let offer = offer.using(typeDatabase)
    let regions = DropRegions(
      regions, offer: offer, delegate: delegate, reactor: reactor, reducesMotion: reducesMotion)
    register(window, Registration(delegate: regions, offer: offer, regions: regions))
  }

  private func register(_ window: WindowID, _ registration: Registration) {
    if reactor.targets[window]?.isLeaving == true {
      successors[window] = registration
    } else {
      replace(registration, of: window)
    }
    reactor.register(window, accepting: registration.offer)
  }

  private func replace(_ registration: Registration, of window: WindowID) {
    registrations.updateValue(registration, forKey: window)?.regions?.end()
  }

  /// Forgets a window that the driver has unregistered.
  func forget(_ window: WindowID) {
    let successor = successors.removeValue(forKey: window)
    if !reactor.targets.isRegistered(window) {
      registrations.removeValue(forKey: window)?.regions?.end()
    } else if let successor {
      replace(successor, of: window)
    }
  }

  /// Unregisters all windows, which rejects pending drops.
  func unregisterAll() {
    for window in registrations.keys { reactor.unregister(window) }
  }

  // MARK: Regions

  func parts(of window: WindowID) -> [Rect]? { registrations[window]?.parts }

  func add(_ region: DropRegion, to window: WindowID) {
    let known = reactor.targets.isRegistered(window) ? registrations[window] : nil
    if let regions = known?.regions {
      regions.add(region)
    } else {
      register(window, accepting: known?.offer ?? DropOffer([]), delegate: known?.delegate, regions: [region])
    }
  }

  func remove(_ region: DropRegion, from window: WindowID) {
    guard let old = registrations[window]?.regions, old.regions.contains(where: { $0 === region }) else { return }
    let rest = old.regions.filter { $0 !== region }
    if rest.isEmpty, old.delegate == nil {
      reactor.unregister(window)
    } else {
      register(window, accepting: old.offer, delegate: old.delegate, regions: rest)
    }
  }

  /// The container at a position in root coordinates: a region's, or the window.
  func container(at point: Point, in window: WindowID) -> DragContainer {
    DragContainer(window: window, name: registrations[window]?.regions?.containerName(at: point, in: window))
  }

  /// The container at a position in the coordinates of a window: a region's, or the window. Makes no round trip.
  func container(atLocation location: Point, in window: WindowID) -> DragContainer {
    DragContainer(window: window, name: registrations[window]?.regions?.containerName(atLocation: location))
  }

}

extension DropOffer {
  func using(_ database: TypeDatabase) -> DropOffer {
    var offer = self
    offer.database = database
    return offer
  }
}
