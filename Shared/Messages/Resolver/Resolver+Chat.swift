public import Model

/// Conversations with plugins that speak to a language model. They are kept in the resolver's memory, and end an hour
/// after their last message.
extension Resolver {
  /// Says something to a plugin that has a language model, which may then use the household by tools. Since 0.2.
  public struct Chat: CommandRequest {
    public static let kind = "resolver.chat"
    /// Answers at once with the conversation, with what was just said; `ReadChat` follows it. Refused with
    /// `resolver.noChat`, `resolver.unknownConversation`, `resolver.chatBusy`, `resolver.badSearch`.
    public typealias Answer = ChatState
    /// The words of the person, at most 4,000 bytes.
    public var words: String
    /// The conversation that continues; nil to begin one.
    public var conversation: String? = nil
    /// The plugin of a new conversation; nil for the first one that can chat.
    public var plugin: String? = nil
    /// The room in which its tools act; nil to choose by the rule of requests without a room.
    public var room: RoomName? = nil
  }

  /// Reads a conversation. Waits up to 10 s for a message where the plugin is busy and none is new. Since 0.2.
  public struct ReadChat: ReadRequest {
    public static let kind = "resolver.read-chat"
    /// The conversation; refused with `resolver.unknownConversation`.
    public typealias Answer = ChatState
    /// The conversation.
    public var conversation: String
    /// The index of the first message to read, from 0.
    public var from: Int = 0
  }

  /// Answers the question that a conversation waits for. Since 0.2.
  public struct AnswerChat: CommandRequest {
    public static let kind = "resolver.answer-chat"
    /// The conversation; refused with `resolver.unknownConversation`, `resolver.noQuestion`.
    public typealias Answer = ChatState
    /// The conversation.
    public var conversation: String
    /// The id of the question.
    public var question: String
    /// True if the person agrees.
    public var isAgreed: Bool
  }

  /// A conversation, or a part of it.
  public struct ChatState: Codable, Hashable, Sendable {
    /// The id.
    public var conversation: String
    /// The plugin.
    public var plugin: PluginName
    /// True while the plugin is asked or uses a tool.
    public var isBusy: Bool
    /// The index of the first message here.
    public var first: Int = 0
    /// The messages from there on, as many as fit into an answer.
    public var messages: [ChatMessage]
    /// The number of messages that there are.
    public var count: Int
    /// The question that waits for a person; nil if there is none.
    public var question: ChatQuestion? = nil
    /// The error with which the plugin failed last; nil if it did not fail.
    public var error: LunaraError? = nil
  }

  /// A message of a conversation.
  public struct ChatMessage: Codable, Hashable, Sendable {
    /// The kinds of messages.
    public enum Role: String, TolerantName {
      /// The words of the person.
      case person
      /// The words of the plugin, a stranger's text.
      case plugin
      /// A tool that was used.
      case action
      case unknown
    }

    /// The kind.
    public var role: Role
    /// The text. That of an action says what happened.
    public var text: String
    /// The name of the tool; nil for other messages.
    public var tool: String? = nil
    /// True for an action that was refused or failed.
    public var isFailed: Bool = false
  }

  /// A question to the person before something is cleared or deleted.
  public struct ChatQuestion: Codable, Hashable, Sendable {
    /// The id.
    public var id: String
    /// The question, in words of this program.
    public var text: String
  }
}

/// Queues that plugins make by words.
extension Resolver {
  /// Asks a plugin for tracks that match a person's words. Music that a person does not want is left out. Since 0.2.
  public struct Generate: ReadRequest {
    public static let kind = "resolver.generate"
    /// The tracks; refused with `resolver.badSearch`, `resolver.noGenerator`, `resolver.nothingGenerated`, and the
    /// errors of the plugin.
    public typealias Answer = GeneratedQueue
    /// The words of the person, at most 4,000 bytes.
    public var words: String
    /// The plugin; nil for the first one that can.
    public var plugin: String? = nil
  }

  /// The tracks that a plugin named.
  public struct GeneratedQueue: Codable, Hashable, Sendable {
    /// The plugin.
    public var plugin: PluginName
    /// The tracks in its order, at most 100, none twice.
    public var tracks: [DescribedTrack]
    /// The number of tracks that were left out, as they are unwanted.
    public var unwanted: Int = 0
  }

  /// Music that is left out of generated queues: an artist, or one track of an artist.
  public struct UnwantedMusic: Codable, Hashable, Sendable {
    /// The artist.
    public var artist: String
    /// The title of the track; nil for all music of the artist.
    public var title: String? = nil
  }

  /// Reads and changes the list of unwanted music; with no music it only reads the list. Since 0.2.
  public struct ChangeUnwanted: CommandRequest {
    public static let kind = "resolver.change-unwanted"
    /// The list afterwards; refused with `resolver.badUnwanted`.
    public typealias Answer = UnwantedList
    /// The music to add, which generated queues leave out.
    public var add: [UnwantedMusic] = []
    /// The music to remove, which is wanted again.
    public var remove: [UnwantedMusic] = []
  }

  /// The list of unwanted music.
  public struct UnwantedList: Codable, Hashable, Sendable {
    /// The music, by artist and title.
    public var items: [UnwantedMusic]
  }
}
