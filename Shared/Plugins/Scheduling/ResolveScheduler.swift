public import Model

/// Decides which tracks are looked for, and in which order: those that a person sees or that sound soon come first, and
/// those that leave the screen are given up. It only decides: its owner tells it what happens and when, and carries out
/// its actions.
public struct ResolveScheduler: Sendable {
  /// The kinds of places that show tracks, or need them.
  public enum ContextKind: String, TolerantName {
    case queue, hover, pool, page, sidebar, background, unknown

    /// The priority; the lowest number comes first.
    public var priority: Int {
      switch self {
      case .queue: 1
      case .hover: 2
      case .pool: 3
      case .page: 4
      case .sidebar: 5
      case .background, .unknown: 10
      }
    }

    /// The number of tracks behind those on screen that are looked for as well.
    public var lookahead: Int { self == .queue || self == .pool ? 5 : 0 }
  }

  /// The ends of a search for a track.
  public enum Outcome: Hashable, Sendable {
    /// Sources were found, or it is known that there are none.
    case resolved
    /// It is not known; the track may come again.
    case failed
    /// It was given up; the track may come again.
    case aborted
  }

  /// Something that happened. A context that was not registered is ignored.
  public enum Event: Hashable, Sendable {
    /// A place shows tracks from now on.
    case registered(context: String, ContextKind)
    /// A place shows these tracks now, in their order, and no others.
    case visible(context: String, [String])
    /// The pointer is over a track; nil if it is over none.
    case hovered(String?)
    /// Nobody wants a track any more.
    case aborted(String)
    /// A place is gone. What runs for it continues where `lettingRunningFinish` is true.
    case left(context: String, lettingRunningFinish: Bool)
    /// The plugins or their order have changed: everything may be looked for again.
    case pluginsChanged(areAny: Bool)
    /// A search that `Action.start` began has ended.
    case finished(String, Outcome)
    /// Tracks for the time in which nobody waits, as `Action.readBackground` asked for them.
    case background([String])
    /// Time has passed.
    case woken
  }

  /// Something to do.
  public enum Action: Hashable, Sendable {
    /// Begin to look for a track.
    case start(String, priority: Int)
    /// End the search for a track; `Event.finished` follows.
    case abort(String)
    /// Say which tracks could be looked for while nobody waits, at most this many.
    case readBackground(limit: Int)
    /// Send `Event.woken` at this time, instead of at the time that was asked for before.
    case wake(at: Milliseconds)
  }

  /// The most searches at the same time.
  public static let workers = 4

  /// One track that waits.
  private struct Waiting {
    var priority: Int
    var index: Int
    var order: Int
  }

  /// The most tracks that are remembered as resolved.
  private static let resolvedLimit = 100_000
  private static let hoverContext = "\0hover"
  private static let backgroundContext = "\0background"

  private var contexts: [String: (kind: ContextKind, keys: [String])] = [
    hoverContext: (.hover, []), backgroundContext: (.background, []),
  ]
  private var waiting: [String: Waiting] = [:]
  private var running: Set<String> = []
  private var aborting: Set<String> = []
  private var resolved: Set<String> = []
  private var arrivals = 0
  /// True until nothing waits and nothing runs.
  private var isBusy = false
  private var background: BackgroundPacing

  /// Creates a scheduler at the start of its owner.
  public init(at now: Milliseconds) { background = BackgroundPacing(start: now) }

  /// Handles an event, and returns the actions.
  public mutating func handle(_ event: Event, at now: Milliseconds) -> [Action] {
    var actions: [Action] = []
    switch event {
    case .registered(let context, let kind):
      if contexts[context] == nil { contexts[context] = (kind, []) }
    case .visible(let context, let keys):
      background.recordAction(at: now)
      actions += show(keys, in: context)
    case .hovered(let key):
      background.recordAction(at: now)
      actions += show(key.map { [$0] } ?? [], in: Self.hoverContext)
    case .aborted(let key):
      for context in contexts.keys { contexts[context]?.keys.removeAll { $0 == key } }
      actions += abandon([key])
    case .left(let context, let lettingRunningFinish):
      guard let left = contexts[context]?.keys else { break }
      contexts[context] = nil
      actions += abandon(left, lettingRunningFinish: lettingRunningFinish)
    case .pluginsChanged(let areAny):
      background.hasPlugins = areAny
      resolved = []
      for key in running where aborting.insert(key).inserted { actions.append(.abort(key)) }
      for (_, context) in contexts { enqueue(context.keys, context.kind) }
    case .finished(let key, let outcome):
      guard running.remove(key) != nil, aborting.remove(key) == nil else { break }
      if outcome == .resolved {
        if resolved.count == Self.resolvedLimit { resolved = [] }
        resolved.insert(key)
        contexts[Self.backgroundContext]?.keys.removeAll { $0 == key }
      } else {
        // The next event that shows it queues it again.
        for context in contexts.keys { contexts[context]?.keys.removeAll { $0 == key } }
      }
    case .background(let keys):
      background.recordBatch(keys.count, at: now)
      contexts[Self.backgroundContext]?.keys += keys
      enqueue(keys, .background)
    case .woken: break
    }
    return actions + starts() + idle(at: now)
  }

  /// Sets the tracks of a context. Those that are no longer in it are given up, unless another one has them.
  private mutating func show(_ keys: [String], in context: String) -> [Action] {
    guard let (kind, former) = contexts[context] else { return [] }
    contexts[context]?.keys = keys
    let (old, new) = (Set(former), Set(keys))
    let actions = abandon(former.filter { !new.contains($0) })
    enqueue(keys, kind, isNew: { !old.contains($0) })
    return actions
  }

  /// Queues tracks, each with its index. One that waits already only moves up.
  private mutating func enqueue(_ keys: [String], _ kind: ContextKind, isNew: (String) -> Bool = { _ in true }) {
    for (index, key) in keys.enumerated() where !resolved.contains(key) {
      if let known = waiting[key] {
        if (kind.priority, index) < (known.priority, known.index) {
          waiting[key] = Waiting(priority: kind.priority, index: index, order: known.order)
        }
      } else if isNew(key), !running.contains(key) || aborting.contains(key) {
        waiting[key] = Waiting(priority: kind.priority, index: index, order: arrivals)
        arrivals += 1
      }
    }
  }

  /// Gives up tracks that no context has any more; those of another one take its priority.
  private mutating func abandon(_ keys: [String], lettingRunningFinish: Bool = false) -> [Action] {
    var actions: [Action] = []
    for key in keys {
      let others = contexts.values.compactMap { context in
        context.keys.firstIndex(of: key).map { (priority: context.kind.priority, index: $0) }
      }
      if let best = others.min(by: { $0 < $1 }) {
        if let known = waiting[key] {
          waiting[key] = Waiting(priority: best.priority, index: best.index, order: known.order)
        }
        continue
      }
      waiting[key] = nil
      if running.contains(key), !lettingRunningFinish, aborting.insert(key).inserted { actions.append(.abort(key)) }
    }
    return actions
  }

  private mutating func starts() -> [Action] {
    var actions: [Action] = []
    while running.count < Self.workers {
      // A track whose search is being ended waits for that end.
      let next = waiting.filter { !running.contains($0.key) }.min {
        ($0.value.priority, $0.value.index, $0.value.order) < ($1.value.priority, $1.value.index, $1.value.order)
      }
      guard let next else { break }
      waiting[next.key] = nil
      running.insert(next.key)
      actions.append(.start(next.key, priority: next.value.priority))
    }
    return actions
  }

  private mutating func idle(at now: Milliseconds) -> [Action] {
    guard waiting.isEmpty, running.isEmpty else {
      isBusy = true
      return []
    }
    if isBusy { background.recordEnd(at: now) }
    isBusy = false
    return background.next(at: now)
  }
}

/// The times when tracks are looked for while nobody waits.
struct BackgroundPacing: Sendable {
  /// The time after the start before which nothing is looked for.
  private static let startDelay = Milliseconds(30_000)
  /// The time after a person's last action before which nothing is looked for.
  private static let actionDelay = Milliseconds(3000)
  /// The time after the end of the last search.
  private static let endDelay = Milliseconds(500)
  /// The sizes of the first batches; those after them have the last size.
  private static let batches = [5, 5, 5, 25]
  /// The pause while there are no plugins.
  private static let withoutPlugins = Milliseconds(10_000)
  /// The pause while there is nothing to do.
  private static let withoutWork = Milliseconds(60_000)

  var hasPlugins = false
  private var earliest: Milliseconds
  private var batch = 0
  private var isAsked = false

  init(start: Milliseconds) { earliest = start + Self.startDelay }

  /// Notes that a person did something.
  mutating func recordAction(at now: Milliseconds) { earliest = max(earliest, now + Self.actionDelay) }

  /// Notes that the last search has ended and that no track waits.
  mutating func recordEnd(at now: Milliseconds) { earliest = max(earliest, now + Self.endDelay) }

  /// Notes that the tracks of a batch came.
  mutating func recordBatch(_ count: Int, at now: Milliseconds) {
    isAsked = false
    if count == 0 { earliest = max(earliest, now + Self.withoutWork) } else { batch += 1 }
  }

  /// Returns what to do while nothing waits and nothing runs.
  mutating func next(at now: Milliseconds) -> [ResolveScheduler.Action] {
    guard !isAsked else { return [] }
    guard now >= earliest else { return [.wake(at: earliest)] }
    guard hasPlugins else { return [.wake(at: now + Self.withoutPlugins)] }
    isAsked = true
    return [.readBackground(limit: Self.batches[min(batch, Self.batches.count - 1)])]
  }
}
