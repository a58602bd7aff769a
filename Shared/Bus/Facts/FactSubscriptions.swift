import Model

/// A subscription to the facts of all nodes of a role.
struct FactSubscription {
  var number: Int
  /// The role; nil for every node.
  var domain: String?
  var sink: any FactSink
  var loops: [NodeID: FactReaderLoop] = [:]

  func covers(_ node: NodeID) -> Bool { domain.map { $0 == node.role || node.isReplay } ?? true }
}

/// The subscriptions of a node to the facts of others, and the end of the node's own journal that was published.
struct FactSubscriptions {
  private(set) var list: [FactSubscription] = []
  private var numbers = 0
  /// The number of facts that each subscription has yet to read, by publisher; subscriptions without such facts are
  /// absent.
  private var lags: [NodeID: [Int: Int64]] = [:]
  /// The position of the last live fact of each node.
  private var lastLive: [NodeID: JournalPosition] = [:]
  let progress = CountingSink.Progress()
  /// The sequence number of the newest fact of this node's journal that was published.
  var head: Int64
  var pruning: Task<Void, Never>?

  init(head: Int64) { self.head = head }

  /// The number of facts of others that are yet to be read.
  var lag: Int64 { lags.values.reduce(0) { $1.values.reduce($0, &+) } }

  mutating func add(_ sink: any FactSink, domain: String?) {
    numbers += 1
    list.append(FactSubscription(number: numbers, domain: domain, sink: sink))
  }

  /// Returns the subscriptions that cover a node and have no loop for it yet.
  func lacking(_ node: NodeID) -> [FactSubscription] { list.filter { $0.covers(node) && $0.loops[node] == nil } }

  mutating func add(_ loop: FactReaderLoop, of node: NodeID, to number: Int) {
    guard let index = list.firstIndex(where: { $0.number == number }) else { return }
    list[index].loops[node] = loop
  }

  func deliver(head: JournalPosition, of node: NodeID) {
    for subscription in list where subscription.covers(node) { subscription.loops[node]?.enqueue(head: head) }
  }

  /// Passes a live fact to the loops that read its node's facts.
  ///
  /// - Returns: the number of facts that were skipped since the last live one.
  mutating func deliver(_ envelope: Envelope) -> Int {
    let fact = ReceivedFact(envelope: envelope)
    for subscription in list { subscription.loops[envelope.node]?.enqueue(fact) }
    guard let position = envelope.position else { return 0 }
    defer { lastLive[envelope.node] = position }
    guard let last = lastLive[envelope.node], last.journal == position.journal, last.epoch == position.epoch,
      position.seq > last.seq
    else { return 0 }
    return Int(clamping: position.seq - last.seq - 1)
  }

  mutating func update(lag: Int64, of publisher: NodeID, for subscription: Int) {
    lags[publisher, default: [:]][subscription] = lag == 0 ? nil : lag
  }

  func cursors(in node: NodeID) -> [ReaderCursor] {
    list.compactMap { subscription in
      guard let reader = subscription.sink.reader, let place = subscription.loops[node]?.place else { return nil }
      return ReaderCursor(reader: reader, position: place)
    }
  }

  /// Forgets a node. The tasks that read its facts end when their loops are released.
  mutating func forget(_ node: NodeID) {
    progress.forget(node)
    lags[node] = nil
    lastLive[node] = nil
    for index in list.indices { list[index].loops[node] = nil }
  }

  mutating func removeAll() -> [FactReaderLoop] {
    defer { list = [] }
    return list.flatMap(\.loops.values)
  }
}
