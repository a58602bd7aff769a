import Bus
import Messages
import Model

extension Option {
  static let metrics = Option("--metrics", help: "figures of all processes instead, as Prometheus reads them")
}

extension Command {
  /// Shows how the household stands.
  static let status = Command(
    name: "status", summary: "who is running, the rooms, the sources and what is wrong with them",
    examples: [
      .init("lunara status", "for people"), .init("lunara status --json", "for programs"),
      .init("lunara status --metrics", "figures of all processes, as Prometheus reads them"),
    ],
    options: [.metrics],
    action: .asynchronous { context in
      if context.arguments.has(.metrics) {
        let view = await MetricsView(of: try await Client(context))
        return context.console.isJSON ? context.console.print(view.json) : context.console.print(view.prometheusText)
      }
      let view = await StatusView(of: try await Client(context))
      context.console.isJSON ? context.console.print(view.json) : view.print(to: context.console, at: .now())
    })

  /// Shows the rooms, and names them.
  static let rooms = Command(
    name: "rooms", summary: "the rooms with what they play, and what they are called",
    examples: [
      .init("lunara rooms", "each with its track, position and volume"),
      .init("lunara rooms title kitchen \"Kitchen, upstairs\"", "what people call it; its name stays for commands"),
      .init("lunara rooms title kitchen", "by its name again"),
    ],
    operand: Operand(name: "title ROOM [TITLE]", count: 0...3, help: "what a room is called from now on"),
    action: .asynchronous { context in
      if let word = context.arguments.operands.first { return try await setTitle(context, word) }
      let views = try await Client(context).roomViews()
      if context.console.isJSON { return context.console.print(.list(views, \.json)) }
      var table = Table()
      for view in views { view.add(to: &table) }
      table.isEmpty ? context.console.note("No room is running.") : context.console.print(table)
    })
}

extension Command {
  fileprivate static func setTitle(_ context: Context, _ word: String) async throws {
    let words = context.arguments.operands
    guard word == "title", words.count > 1 else {
      throw UsageError("rooms takes nothing, or: title ROOM [TITLE].")
    }
    let household = try await Client(context)
    let choice = RoomChoice(rooms: household.rooms(), wanted: words[1], usual: nil)
    guard let room = try choice.decided() else { throw UsageError("Say which room is meant.") }
    let request = Playback.SetTitle(title: words.count > 2 ? words[2] : nil)
    let state = try await household.ask(request, of: .playback(room), within: .seconds(10))
    if context.console.isJSON { return context.console.print(RoomView(state, age: .zero, now: .now()).json) }
    context.console.note(state.title.map { "\(room) is called \($0)." } ?? "\(room) goes by its name.")
  }
}

extension StatusView {
  /// Asks all nodes of a household at the same time; who does not answer within 2 s is away.
  init(of household: Client) async {
    let patience = Duration.seconds(2)
    async let rooms = household.roomViews()
    async let catalogue = Self.state(Library.CatalogueState.self, of: .library, in: household)
    async let outbox = Self.state(Scrobble.OutboxState.self, of: .scrobble, in: household)
    let nodes = await withTaskGroup(of: NodeView.self) { group in
      for node in household.nodes() {
        group.addTask {
          do {
            return NodeView(id: node, presence: try await household.ask(ReadPresence(), of: node, within: patience))
          } catch {
            // That it does not answer is what the view says of it.
            return NodeView(id: node, pid: household.pid(of: node))
          }
        }
      }
      var views: [NodeView] = []
      for await view in group { views.append(view) }
      return views.sorted { $0.id < $1.id }
    }
    self.init(nodes: nodes, rooms: await rooms, catalogue: await catalogue, outbox: await outbox)
  }

  private static func state<S: State>(_ type: S.Type, of node: NodeID, in household: Client) async -> S? {
    guard household.nodes().contains(node) else { return nil }
    do {
      return try await household.state(type, of: node, within: .seconds(2))?.value
    } catch {
      // The node is shown as away; what it would say is not known.
      return nil
    }
  }

  /// Prints it for people.
  func print(to console: Console, at now: Timestamp) {
    let style = console.style
    var table = Table()
    for node in nodes { node.add(to: &table) }
    console.print(style.faint("nodes") + "\n")
    console.print(table)
    for problem in nodes.compactMap(\.presence?.problem) {
      console.print("  \(style.notable("!")) \(Printable.line(problem.message)) \(style.faint(problem.code))\n")
    }
    table = Table()
    for room in rooms { room.add(to: &table) }
    console.print("\n" + style.faint("rooms") + "\n")
    console.print(table)
    table = Table()
    for source in catalogue?.sources ?? [] { source.add(to: &table, at: now) }
    console.print("\n" + style.faint("sources") + "\n")
    console.print(table)
    for source in catalogue?.sources ?? [] {
      source.printRuns(to: console, at: now)
      for problem in source.problems {
        console.print("  \(style.notable("!")) \(Printable.line(problem.message)) \(style.faint(problem.code))\n")
      }
      if source.problemCount > source.problems.count {
        console.print(
          style.faint("  and \(source.problemCount - source.problems.count) more, in the library's log") + "\n")
      }
    }
    guard let outbox else { return }
    console.print("\n" + style.faint("scrobbles") + "\n")
    console.print("\(outbox.counted) counted, \(outbox.pending) to be sent, \(outbox.failed) refused\n")
    table = Table()
    for account in outbox.accounts ?? [] { account.add(to: &table) }
    if !table.isEmpty { console.print(table) }
    for account in outbox.accounts ?? [] {
      guard let error = account.error else { continue }
      console.print("  \(style.notable("!")) \(Printable.line(error.message)) \(style.faint(error.code))\n")
    }
  }
}
