// Generated from Resolver+Chat.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Resolver.Chat {
  public init(words: String, conversation: String? = nil, plugin: String? = nil, room: RoomName? = nil, _: Void = ()) {
    self.words = words
    self.conversation = conversation
    self.plugin = plugin
    self.room = room
  }
}

extension Resolver.ReadChat {
  public init(conversation: String, from: Int = 0, _: Void = ()) {
    self.conversation = conversation
    self.from = from
  }
}

extension Resolver.AnswerChat {
  public init(conversation: String, question: String, isAgreed: Bool, _: Void = ()) {
    self.conversation = conversation
    self.question = question
    self.isAgreed = isAgreed
  }
}

extension Resolver.ChatState {
  public init(
    conversation: String, plugin: Resolver.PluginName, isBusy: Bool, first: Int = 0, messages: [Resolver.ChatMessage],
    count: Int, question: Resolver.ChatQuestion? = nil, error: LunaraError? = nil, _: Void = ()
  ) {
    self.conversation = conversation
    self.plugin = plugin
    self.isBusy = isBusy
    self.first = first
    self.messages = messages
    self.count = count
    self.question = question
    self.error = error
  }
}

extension Resolver.ChatMessage {
  public init(role: Role, text: String, tool: String? = nil, isFailed: Bool = false, _: Void = ()) {
    self.role = role
    self.text = text
    self.tool = tool
    self.isFailed = isFailed
  }
}

extension Resolver.ChatQuestion {
  public init(id: String, text: String, _: Void = ()) {
    self.id = id
    self.text = text
  }
}

extension Resolver.Generate {
  public init(words: String, plugin: String? = nil, _: Void = ()) {
    self.words = words
    self.plugin = plugin
  }
}

extension Resolver.GeneratedQueue {
  public init(plugin: Resolver.PluginName, tracks: [DescribedTrack], unwanted: Int = 0, _: Void = ()) {
    self.plugin = plugin
    self.tracks = tracks
    self.unwanted = unwanted
  }
}

extension Resolver.UnwantedMusic {
  public init(artist: String, title: String? = nil, _: Void = ()) {
    self.artist = artist
    self.title = title
  }
}

extension Resolver.ChangeUnwanted {
  public init(add: [Resolver.UnwantedMusic] = [], remove: [Resolver.UnwantedMusic] = [], _: Void = ()) {
    self.add = add
    self.remove = remove
  }
}

extension Resolver.UnwantedList {
  public init(items: [Resolver.UnwantedMusic], _: Void = ()) { self.items = items }
}
