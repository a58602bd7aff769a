import Model

/// One entry of a list on our side.
public struct LocalEntry: Codable, Hashable, Sendable {  // memberwise
  /// The id of the entry, which it keeps when it is moved.
  public var id: Int64
  /// The track.
  public var track: SyncTrack
}

/// The sides that a person allows to be changed.
public enum SyncDirection: String, Codable, Hashable, Sendable {
  /// Our side follows the provider.
  case pull
  /// The provider follows our side.
  case push
  case both

  /// True if our side may be changed.
  public var pulls: Bool { self != .push }
  /// True if the provider may be changed.
  public var pushes: Bool { self != .pull }
}
