public import Model

/// What is kept from services.
extension Scrobble {
  /// Begins or ends a time in which nothing that is heard is sent anywhere.
  public struct SetPrivate: Request {
    /// The stable name.
    public static let kind = "scrobble.set-private"
    /// It changes what is sent.
    public static let isCommand = true
    /// How it stands now.
    public typealias Answer = PrivateState
    /// How long, from now on; nil ends it.
    public var duration: Milliseconds?

    /// Makes a request.
    public init(for duration: Milliseconds?) { self.duration = duration }
  }

  /// Whether listening is private.
  public struct PrivateState: Codable, Hashable, Sendable {
    /// Until when; nil where it is not.
    public var until: Timestamp?

    /// Makes a state.
    public init(until: Timestamp?) { self.until = until }
  }

  /// What is not sent, by what it is.
  public struct Filter: Codable, Hashable, Sendable {
    /// What is compared: `source`, `section`, `room`, `artist` (of the track or the album) or `genre`.
    public var kind: String
    /// What with; case and marks do not matter.
    public var value: String

    /// Makes a filter.
    public init(kind: String, value: String) {
      self.kind = kind
      self.value = value
    }
  }

  /// Reads and changes the filters.
  public struct ChangeFilters: Request {
    /// The stable name.
    public static let kind = "scrobble.change-filters"
    /// It changes what is sent.
    public static let isCommand = true
    /// The filters afterwards; refused with `scrobble.badFilter`.
    public typealias Answer = FilterList
    /// Those that are to be.
    public var add: [Filter]
    /// Those that are to be no more.
    public var remove: [Filter]

    /// Makes a request; one without either just reads them.
    public init(add: [Filter] = [], remove: [Filter] = []) {
      self.add = add
      self.remove = remove
    }
  }

  /// The filters.
  public struct FilterList: Codable, Hashable, Sendable {
    /// By kind and value.
    public var filters: [Filter]

    /// Makes a list.
    public init(filters: [Filter]) { self.filters = filters }
  }
}
