public import Model

/// Reviews of albums that a language model writes, at an endpoint that a person names.
extension Discovery {
  /// Reads the review of an album that is kept. Nobody outside is asked. Since 0.2.
  public struct ReadReview: ReadRequest {
    public static let kind = "discovery.read-review"
    /// The review, or what is known of its making; refused with `discovery.notReady`, `discovery.unknownAlbum`.
    public typealias Answer = ReviewStatus
    /// The album.
    public var album: AlbumID
  }

  /// Writes the review of an album. The stored review stays visible until the new one is there. Since 0.2.
  public struct MakeReview: CommandRequest {
    public static let kind = "discovery.make-review"
    /// Answers at once with what is known; the review is there when `isBeingMade` is false. Refused with
    /// `discovery.notReady`, `discovery.unknownAlbum`, `discovery.reviewsOff` and `discovery.reviewCap`.
    public typealias Answer = ReviewStatus
    /// The album.
    public var album: AlbumID
    /// True to write it again although one is kept; nil for false.
    public var isAgain: Bool? = nil
  }

  /// The review of an album, and what is known of its making.
  public struct ReviewStatus: Codable, Hashable, Sendable {
    /// The album.
    public var album: AlbumID
    /// The review that is kept; nil if there is none.
    public var review: Review? = nil
    /// True while one is being written, or waits for its turn.
    public var isBeingMade: Bool = false
    /// The error of the last attempt; nil if it succeeded.
    public var problem: LunaraError? = nil
    /// True if an endpoint is set up, so that reviews can be written.
    public var isOn: Bool
  }

  /// A review by a language model. It may be wrong, and is always shown as written by a model.
  public struct Review: Codable, Hashable, Sendable {
    /// The place of the album in its time, in two or three sentences.
    public var summary: String
    /// Three to five points with evidence.
    public var points: [String]
    /// The rating in tenths, 0 to 100; nil if the model gave none.
    public var tenths: Int? = nil
    /// The label, such as `Cornerstone`.
    public var label: String
    /// The tier of the label: 1, the canon, to 8.
    public var tier: Int
    /// The titles of the key tracks.
    public var keyTracks: [String]
    /// The model that wrote it.
    public var model: String
    /// The time when it was written.
    public var writtenAt: Timestamp
  }

  /// Reads how reviews are written. Since 0.2.
  public struct ReadReviewSettings: ReadRequest {
    public static let kind = "discovery.read-review-settings"
    /// The settings, without the key.
    public typealias Answer = ReviewSettings

    public init() {}
  }

  /// The endpoint and the model that write reviews.
  public struct ReviewSettings: Codable, Hashable, Sendable {
    /// The address of the endpoint, such as `http://127.0.0.1:11434/v1`; nil while reviews are off.
    public var endpoint: String? = nil
    /// The name of the model; nil while reviews are off.
    public var model: String? = nil
    /// True if a key is stored for this endpoint; the key itself is never returned.
    public var hasKey: Bool = false
    /// The most reviews that are written a day.
    public var dailyCap: Int = 20
    /// The number of requests of today.
    public var today: Int = 0
    /// The number of reviews that are kept.
    public var kept: Int = 0
    /// A sentence that says what leaves the house for a review.
    public var sends: String
  }

  /// Names the endpoint and the model that write reviews, or switches reviews off. Reviews that were written are kept.
  /// Since 0.2.
  public struct SetReviews: CommandRequest {
    public static let kind = "discovery.set-reviews"
    /// Answers after it is stored; refused with `discovery.badEndpoint`.
    public typealias Answer = ReviewSettings
    /// The address of an endpoint of OpenAI's form; nil to switch reviews off and to forget the key.
    public var endpoint: String?
    /// The name of the model; nil to keep it.
    public var model: String? = nil
    /// The key; nil to keep it, empty for none.
    public var key: String? = nil
    /// The most reviews a day, 1 to 1,000; nil to keep it.
    public var dailyCap: Int? = nil
  }
}
