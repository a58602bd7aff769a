import Model

@testable import Bus

/// A household in memory with a clock of its own: everything that happens in it depends only on the seed.
///
/// `@unchecked Sendable` is safe because (1) a world is made, run and released by one thread; (2) closures of the bus
/// that ask for `Sendable` capture it, and that same thread calls them.
final class World: @unchecked Sendable {
  /// An event that must never happen, and did.
  struct Violation: Error, CustomStringConvertible {
    var invariant: String
    var what: String
    /// Microseconds after the start.
    var at: Int

    var description: String { "\(invariant): \(what) (after \(at) µs)" }
  }

  static let start = ContinuousClock.now

  let seed: UInt64
  let plan: Plan
  var random: SeededRandom
  private(set) var now = World.start
  /// The current time in microseconds since the start.
  private(set) var clock = 0
  var network = Network()
  var expected = ExpectedOutcomes()
  private(set) var places: [SimulatedHost] = []
  private(set) var violation: Violation?
  private(set) var steps = 0
  /// True once no more faults are injected and everything recovers.
  var isHealed = false
  /// True once everything has recovered.
  var isDone = false
  /// The number of final commands that are not done yet.
  var pending = 0
  private var eventQueue = EventQueue()
  private let tell: ((String) -> Void)?
  private var names = 0

  init(seed: UInt64, tell: ((String) -> Void)? = nil) {
    self.seed = seed
    self.tell = tell
    var random = SeededRandom(seed: seed)
    plan = Plan(drawing: &random)
    self.random = random
    places = plan.nodes.enumerated().map { SimulatedHost($1, at: $0, in: self) }
  }

  /// Runs the plan to its end; returns the first violation.
  func run() -> Violation? {
    begin()
    while violation == nil, let event = eventQueue.next() {
      guard event.time < plan.end else { break }
      if event.time != clock {
        clock = event.time
        now = World.start + .microseconds(clock)
      }
      steps += 1
      event.action()
      if isHealed, isDone { break }
    }
    // The nodes refer to their world, so they are released here.
    defer { places = [] }
    if violation == nil { checkEnd() }
    return violation
  }

  /// Schedules an action after this many microseconds.
  func after(_ pause: Int, _ body: @escaping () -> Void) { eventQueue.add(at: clock + pause, body) }

  /// The host of a node; of two that claim its name, the one that works.
  func place(_ id: NodeID) -> SimulatedHost? {
    places.first { $0.id == id && $0.holding != nil } ?? places.first { $0.id == id }
  }

  /// The host with an address.
  func place(at address: String) -> SimulatedHost? {
    address.split(separator: ":").last.flatMap { Int($0) }.map { places[$0] }
  }

  /// Returns a number that was not used before.
  func number() -> Int {
    names += 1
    return names
  }

  /// Returns a name that was not used before.
  func name(_ kind: String) -> String { "\(kind)\(number())" }

  func violate(_ invariant: String, _ what: @autoclosure () -> String) {
    guard violation == nil else { return }
    let found = Violation(invariant: invariant, what: what(), at: clock)
    violation = found
    trace("VIOLATION \(found)")
  }

  func trace(_ text: @autoclosure () -> String) {
    guard let tell else { return }
    tell("\(clock) \(text())")
  }
}

/// The scheduled events in the order of time; those of the same time in the order in which they were scheduled.
struct EventQueue {
  /// The part that is moved about: the time in microseconds, and the index of the action.
  private struct Entry {
    var time: Int
    var number: Int
    var slot: Int

    func comesBefore(_ other: Entry) -> Bool {
      time == other.time ? number < other.number : time < other.time
    }
  }

  /// A binary heap.
  private var entries: [Entry] = []
  private var actions: [(() -> Void)?] = []
  private var free: [Int] = []
  private var count = 0

  mutating func add(at time: Int, _ action: @escaping () -> Void) {
    count += 1
    let slot: Int
    if let last = free.popLast() {
      slot = last
      actions[slot] = action
    } else {
      slot = actions.count
      actions.append(action)
    }
    let entry = Entry(time: time, number: count, slot: slot)
    entries.append(entry)
    var child = entries.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard entry.comesBefore(entries[parent]) else { break }
      entries[child] = entries[parent]
      child = parent
    }
    entries[child] = entry
  }

  mutating func next() -> (time: Int, action: () -> Void)? {
    guard let first = entries.first else { return nil }
    let last = entries.removeLast()
    if !entries.isEmpty { sink(last) }
    guard let action = actions[first.slot] else { return nil }
    actions[first.slot] = nil
    free.append(first.slot)
    return (first.time, action)
  }

  /// Inserts an entry at the top.
  private mutating func sink(_ entry: Entry) {
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < entries.count else { break }
      if child + 1 < entries.count, entries[child + 1].comesBefore(entries[child]) { child += 1 }
      guard entries[child].comesBefore(entry) else { break }
      entries[parent] = entries[child]
      parent = child
    }
    entries[parent] = entry
  }
}
