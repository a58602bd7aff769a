import Client
import Model

/// An operand of a command, an option, or several that mean one thing together, with the type of the value.
///
/// The whole command line is read before anything is asked of the household, so that a mistake in it is a wrong usage
/// also where no household runs.
struct Parameter<Value>: Sendable {
  /// Finds the value in the household, such as the album of a title.
  typealias Lookup = @Sendable (Client, Context) async throws -> Value

  let options: [Option]
  let operand: Operand?
  /// Reads the value from the command line. Throws a `UsageError`.
  let read: @Sendable (Arguments) throws -> Lookup

  init(options: [Option] = [], operand: Operand? = nil, finding read: @escaping @Sendable (Arguments) throws -> Lookup)
  {
    self.options = options
    self.operand = operand
    self.read = read
  }

  init(
    _ options: Option..., operand: Operand? = nil, _ read: @escaping @Sendable (Arguments) throws -> Value
  ) where Value: Sendable {
    self.options = options
    self.operand = operand
    self.read = {
      let value = try read($0)
      return { _, _ in value }
    }
  }
}

extension Command {
  /// Creates a command that asks the household.
  ///
  /// - Parameters:
  ///   - connect: connects to the household.
  ///   - run: what the command does with its connection and the values of its parameters. Ctrl-C cancels it.
  // Swift 6.3 crashes when it specialises the closure below for one type of the pack, in a release build.
  @_semantics("optimize.sil.specialize.generic.never")
  @inline(never)
  init<each Value>(
    name: String, summary: String, discussion: String = "", examples: KeyValuePairs<String, String>,
    takes parameters: repeat Parameter<each Value>, refuses refusals: [Refusal] = [], commands: [Command] = [],
    through connect: @escaping @Sendable (Context) async throws -> Client = { try await Client($0) },
    run: @escaping @Sendable (Client, Console, repeat each Value) async throws -> Void
  ) {
    self.init(name: name, summary: summary, discussion: discussion, examples: examples, commands: commands)
    for (options, operand) in repeat ((each parameters).options, (each parameters).operand) {
      self.options += options
      self.operand = self.operand ?? operand
    }
    action = .asynchronous { context in
      for refusal in refusals where refusal.isMistake(context.arguments) { throw UsageError(refusal.message) }
      let lookups = (repeat try (each parameters).read(context.arguments))
      let client = try await connect(context)
      try await run(client, context.console, repeat try await (each lookups)(client, context))
    }
  }

  /// Creates a command that does the same for each of several things. All of them are found before the first is done.
  @_semantics("optimize.sil.specialize.generic.never")
  @inline(never)
  init<Item, each Value>(
    name: String, summary: String, discussion: String = "", examples: KeyValuePairs<String, String>,
    each items: Parameter<[Item]>, takes parameters: repeat Parameter<each Value>, refuses refusals: [Refusal] = [],
    commands: [Command] = [],
    through connect: @escaping @Sendable (Context) async throws -> Client = { try await Client($0) },
    run: @escaping @Sendable (Client, Console, Item, repeat each Value) async throws -> Void
  ) {
    self.init(
      name: name, summary: summary, discussion: discussion, examples: examples, takes: items, repeat each parameters,
      refuses: refusals, commands: commands, through: connect
    ) { (client: Client, console: Console, items: [Item], values: repeat each Value) in
      for item in items { try await run(client, console, item, repeat each values) }
    }
  }
}

/// Options and operands that do not go together, and the message that says so.
struct Refusal: Sendable {
  let message: String
  let isMistake: @Sendable (Arguments) -> Bool

  init(_ message: String, _ isMistake: @escaping @Sendable (Arguments) -> Bool) {
    self.message = message
    self.isMistake = isMistake
  }

  static func both(_ first: String, _ second: String) -> Refusal {
    Refusal("\(first) and \(second) exclude each other.") { $0.has(first) && $0.has(second) }
  }
}

// Options.
extension Parameter {
  static func flag(_ option: Option) -> Parameter<Bool> { Parameter<Bool>(option) { $0.has(option) } }
  static func flag(_ name: String, help: String) -> Parameter<Bool> { flag(Option(name, help: help)) }

  static func text(_ option: Option) -> Parameter<String?> { Parameter<String?>(option) { $0.value(option) } }
  static func text(
    _ name: String, _ value: String, help: String, completes: Completion? = nil
  ) -> Parameter<String?> { text(Option(name, value, help: help, completes: completes)) }

  /// An option that may be given several times.
  static func texts(
    _ name: String, _ value: String, help: String, completes: Completion? = nil
  ) -> Parameter<[String]> {
    let option = Option(name, value, repeats: true, help: help, completes: completes)
    return Parameter<[String]>(option) { $0.values(option) }
  }

  static func integer(_ option: Option, in range: ClosedRange<Int>) -> Parameter<Int?> {
    Parameter<Int?>(option) { try $0.integer(option, in: range) }
  }
  static func integer(
    _ name: String, _ value: String = "N", in range: ClosedRange<Int>, help: String
  ) -> Parameter<Int?> { integer(Option(name, value, help: help), in: range) }

  static func duration(_ name: String, help: String) -> Parameter<Milliseconds?> {
    let option = Option(name, "DURATION", help: help)
    return Parameter<Milliseconds?>(option) { try $0.duration(option) }
  }

  static func choice<Choice: RawRepresentable<String> & Sendable>(
    _ name: String, _ value: String, _ choices: [Choice], help: String
  ) -> Parameter<Choice?> {
    let option = Option(name, value, help: help, completes: .words(choices.map(\.rawValue)))
    let words = Dictionary(uniqueKeysWithValues: choices.map { ($0.rawValue, $0) })
    return Parameter<Choice?>(option) { try $0.word(option, words) }
  }

  /// The room that a command is for, by the rule of `Client.room(for:)`.
  static var room: Parameter<RoomName> {
    Parameter<RoomName>(options: [.room], finding: { _ in { try await $0.room(for: $1) } })
  }

  /// The context of the command line, for commands that read some options themselves.
  static func context(_ options: Option...) -> Parameter<Context> {
    Parameter<Context>(options: options, finding: { _ in { $1 } })
  }
}

// Operands.
extension Parameter {
  static func operand(_ name: String, help: String, completes: Completion? = nil) -> Parameter<String> {
    Parameter<String>(operand: .one(name, help: help, completes: completes)) { $0.operands[0] }
  }

  static func optional(_ name: String, help: String, completes: Completion? = nil) -> Parameter<String?> {
    Parameter<String?>(operand: .optional(name, help: help, completes: completes)) { $0.operands.first }
  }

  static func operands(
    _ name: String, _ count: ClosedRange<Int> = 1...10_000, help: String, completes: Completion? = nil
  ) -> Parameter<[String]> {
    Parameter<[String]>(operand: Operand(name: name, count: count, help: help, completes: completes)) { $0.operands }
  }

  static func optional<Choice: RawRepresentable<String> & Sendable>(
    _ name: String, _ choices: [Choice], help: String
  ) -> Parameter<Choice?> {
    let operand = Operand.optional(name, help: help, completes: .words(choices.map(\.rawValue)))
    let words = Dictionary(uniqueKeysWithValues: choices.map { ($0.rawValue, $0) })
    return Parameter<Choice?>(operand: operand) { $0.operands.isEmpty ? nil : try $0.word(0, name, words) }
  }

  static func onOff(help: String) -> Parameter<Bool?> {
    let operand = Operand.optional("on|off", help: help, completes: .words(["on", "off"]))
    return Parameter<Bool?>(operand: operand) {
      $0.operands.isEmpty ? nil : try $0.word(0, "on|off", ["on": true, "off": false])
    }
  }

  /// The number of a note, mark or todo.
  static func number(_ thing: String) -> Parameter<Int64> {
    Parameter<Int64>(operand: .one("NUMBER", help: "the number of the \(thing)")) {
      try Arguments.number($0.operands[0], thing)
    }
  }
}

// Things of the catalogue, each by its id or its title.
extension Parameter {
  static func albums(_ name: String = "ID") -> Parameter<[AlbumID]> {
    items("album", .albums, name) { words, client in try await client.id(words) { try $0.album() } }
  }
  static var artists: Parameter<[ArtistID]> {
    items("artist", .artists, help: "the artist's id, or name") { words, client in
      try await client.id(words) { try $0.artist() }
    }
  }
  static var tracks: Parameter<[TrackID]> {
    items("track", .tracks) { words, client in try await client.id(words) { try $0.track() } }
  }
  static var collections: Parameter<[CollectionID]> {
    items("collection", .collections) { words, client in try await client.id(words) { try $0.collection() } }
  }
  static var playlists: Parameter<[PlaylistID]> {
    items("playlist", .playlists) { words, client in try await client.playlistID(words.joined(separator: " ")) }
  }

  static func items<Item>(
    _ kind: String, _ values: CompletionValues.Kind, _ name: String = "ID", help: String? = nil,
    _ find: @escaping @Sendable ([String], Client) async throws -> Item
  ) -> Parameter<[Item]> {
    let operand = Operand.some(name, help: help ?? "the \(kind)'s id, or its title", completes: .household(values))
    return Parameter<[Item]>(
      operand: operand,
      finding: { arguments in
        { client, _ in try await client.each(arguments.operands) { try await find($0, client) } }
      })
  }
}

extension Client {
  /// Returns the things that words name: several where one of the words is an id, otherwise that with all words as its
  /// title. Where there is none, words of several words each, which a person has quoted, are titles.
  ///
  /// - Throws: the errors of `find`.
  func each<Item>(_ words: [String], _ find: ([String]) async throws -> Item) async throws -> [Item] {
    func apart() async throws -> [Item] {
      var items: [Item] = []
      for word in words { items.append(try await find([word])) }
      return items
    }
    if words.contains(where: { TitleChoice.id($0) != nil }) { return try await apart() }
    do { return [try await find(words)] } catch let whole as LunaraError where whole.code == "client.nothingFound" {
      guard words.count > 1, words.contains(where: { $0.contains(" ") }) else { throw whole }
      do { return try await apart() } catch { throw whole }
    }
  }
}
