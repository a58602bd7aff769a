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

    public init(album: AlbumID) { self.album = album }
  }

  /// Has the review of an album written. The review that is kept stays visible until the new one is there. Since 0.2.
  public struct MakeReview: CommandRequest {
    public static let kind = "discovery.make-review"
    /// Answers at once with what is known; the review is there when `isBeingMade` is false. Refused with
    /// `discovery.notReady`, `discovery.unknownAlbum`, `discovery.reviewsOff` and `discovery.reviewCap`.
    public typealias Answer = ReviewStatus
    /// The album.
    public var album: AlbumID
    /// True to write it again although one is kept; nil for false.
    public var isAgain: Bool?

    public init(album: AlbumID, isAgain: Bool? = nil) {
      self.album = album
      self.isAgain = isAgain
    }
  }

  /// The review of an album, and what is known of its making.
  public struct ReviewStatus: Codable, Hashable, Sendable {
    /// The album.
    public var album: AlbumID
    /// The review that is kept; nil if there is none.
    public var review: Review?
    /// True while one is being written, or waits for its turn.
    public var isBeingMade: Bool
    /// The error of the last attempt; nil if it succeeded.
    public var problem: LunaraError?
    /// True if an endpoint is set up, so that reviews can be written.
    public var isOn: Bool

    public init(
      album: AlbumID, review: Review? = nil, isBeingMade: Bool = false, problem: LunaraError? = nil, isOn: Bool
    ) {
      self.album = album
      self.review = review
      self.isBeingMade = isBeingMade
      self.problem = problem
      self.isOn = isOn
    }
  }

  /// A review by a language model. It may be wrong, and is always shown as written by a model.
  public struct Review: Codable, Hashable, Sendable {
    /// The place of the album in its time, in two or three sentences.
    public var summary: String
    /// Three to five points with evidence.
    public var points: [String]
    /// The rating in tenths, 0 to 100; nil where the model gave none.
    public var tenths: Int?
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

    public init(
      summary: String, points: [String], tenths: Int? = nil, label: String, tier: Int, keyTracks: [String],
      model: String, writtenAt: Timestamp
    ) {
      (self.summary, self.points, self.tenths, self.label) = (summary, points, tenths, label)
      (self.tier, self.keyTracks, self.model, self.writtenAt) = (tier, keyTracks, model, writtenAt)
    }
  }

  /// Reads how reviews are written. Since 0.2.
  public struct ReadReviewSettings: ReadRequest {
    public static let kind = "discovery.read-review-settings"
    /// The settings; the key is not told.
    public typealias Answer = ReviewSettings

    public init() {}
  }

  /// The endpoint and the model that write reviews.
  public struct ReviewSettings: Codable, Hashable, Sendable {
    /// The address of the endpoint, such as `http://127.0.0.1:11434/v1`; nil while reviews are off.
    public var endpoint: String?
    /// The name of the model; nil while reviews are off.
    public var model: String?
    /// True if a key is stored for this endpoint; the key itself is never told.
    public var hasKey: Bool
    /// The most reviews that are written a day.
    public var dailyCap: Int
    /// The number of requests of today.
    public var today: Int
    /// The number of reviews that are kept.
    public var kept: Int
    /// A sentence that says what leaves the house for a review.
    public var sends: String

    public init(
      endpoint: String? = nil, model: String? = nil, hasKey: Bool = false, dailyCap: Int = 20, today: Int = 0,
      kept: Int = 0, sends: String
    ) {
      (self.endpoint, self.model, self.hasKey, self.dailyCap) = (endpoint, model, hasKey, dailyCap)
      (self.today, self.kept, self.sends) = (today, kept, sends)
    }
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
    public var model: String?
    /// The key; nil to keep it, empty for none.
    public var key: String?
    /// The most reviews a day, 1 to 1,000; nil to keep it.
    public var dailyCap: Int?

    public init(endpoint: String?, model: String? = nil, key: String? = nil, dailyCap: Int? = nil) {
      self.endpoint = endpoint
      self.model = model
      self.key = key
      self.dailyCap = dailyCap
    }
  }
}
