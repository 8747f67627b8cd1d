/// The behavior of a client and its program, which a test sets.
struct ClientBehavior {
  /// Whether the process is stopped: it keeps its windows and answers nothing.
  var isFrozen = false
  /// Whether a toolkit takes the events of the windows as soon as they arrive, so that the driver finds none.
  var hasGreedyToolkit = false
  /// Whether a search for a target or for places has to ask the server, so that its answer comes later.
  var searchesLate: () -> Bool = { false }
  /// Whether the answers to claims of a selection and to grabs come later.
  var beginsLate: () -> Bool = { false }
  /// Whether answers to questions are held until this is `false` again.
  var holdsAnswers = false
  /// Whether answers about the places of windows are held until this is `false` again.
  var holdsPlaces = false

  private var heldAnswers: [EventQueues.Delivery] = []
  private var heldPlaces: [EventQueues.Delivery] = []

  init() {}

  /// Keeps an answer if ``holdsAnswers`` is set, and returns whether it is.
  mutating func hold(_ answer: EventQueues.Delivery) -> Bool {
    if holdsAnswers { heldAnswers.append(answer) }
    return holdsAnswers
  }

  /// Keeps an answer if ``holdsPlaces`` is set, and returns whether it is.
  mutating func holdPlace(_ answer: EventQueues.Delivery) -> Bool {
    if holdsPlaces { heldPlaces.append(answer) }
    return holdsPlaces
  }

  /// Removes and returns the answers that are no longer held.
  mutating func takeReleasedAnswers() -> [EventQueues.Delivery] {
    if !holdsPlaces {
      heldAnswers += heldPlaces
      heldPlaces = []
    }
    guard !holdsAnswers else { return [] }
    defer { heldAnswers = [] }
    return heldAnswers
  }
}
