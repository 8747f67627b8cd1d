/// How a client and its program behave, as a test decides it.
struct ClientBehavior {
  /// Whether the process is stopped: it keeps its windows and says nothing.
  var isFrozen = false
  /// Whether a toolkit takes the events of the windows as soon as they are there, so that the driver finds none.
  var hasGreedyToolkit = false
  /// Whether a search for a target or for places has to ask the server: then it is answered later.
  var searchesLate: () -> Bool = { false }
  /// Whether the answers to claims of a selection and to grabs come later.
  var beginsLate: () -> Bool = { false }
  /// Whether answers to questions that are not waited for stay on their way, until this is `false` again.
  var holdsAnswers = false
  /// Whether the answers to the questions where windows are stay on their way, until this is `false` again.
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

  /// Removes the answers that were held and no longer are, and returns them.
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
