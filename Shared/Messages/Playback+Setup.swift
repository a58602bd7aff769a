/// What setting a room up needs.
extension Playback {
  /// Says what people call a room.
  public struct SetTitle: Request {
    /// The stable name.
    public static let kind = "playback.set-title"
    /// It changes the room.
    public static let isCommand = true
    /// The room's state afterwards.
    public typealias Answer = RoomState
    /// 1 to 64 characters on one line; nil for none, so that the room goes by its name.
    public var title: String?

    /// Makes a request.
    public init(title: String?) { self.title = title }
  }

  /// Lets a short chord be heard where the room's music would be, at its volume. Refused while music plays; its queue and
  /// what was listened to stay as they are.
  public struct PlayTestSound: Request {
    /// The stable name.
    public static let kind = "playback.play-test-sound"
    /// A command, so that one that is sent again is heard once.
    public static let isCommand = true
    /// Comes when the chord was heard.
    public typealias Answer = Done

    /// Makes a request.
    public init() {}
  }
}
