// Generated from Discovery+Reviews.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Discovery.ReadReview {
  public init(album: AlbumID, _: Void = ()) { self.album = album }
}

extension Discovery.MakeReview {
  public init(album: AlbumID, isAgain: Bool? = nil, _: Void = ()) {
    self.album = album
    self.isAgain = isAgain
  }
}

extension Discovery.ReviewStatus {
  public init(
    album: AlbumID, review: Discovery.Review? = nil, isBeingMade: Bool = false, problem: LunaraError? = nil, isOn: Bool,
    _: Void = ()
  ) {
    self.album = album
    self.review = review
    self.isBeingMade = isBeingMade
    self.problem = problem
    self.isOn = isOn
  }
}

extension Discovery.Review {
  public init(
    summary: String, points: [String], tenths: Int? = nil, label: String, tier: Int, keyTracks: [String], model: String,
    writtenAt: Timestamp, _: Void = ()
  ) {
    self.summary = summary
    self.points = points
    self.tenths = tenths
    self.label = label
    self.tier = tier
    self.keyTracks = keyTracks
    self.model = model
    self.writtenAt = writtenAt
  }
}

extension Discovery.ReviewSettings {
  public init(
    endpoint: String? = nil, model: String? = nil, hasKey: Bool = false, dailyCap: Int = 20, today: Int = 0,
    kept: Int = 0, sends: String, _: Void = ()
  ) {
    self.endpoint = endpoint
    self.model = model
    self.hasKey = hasKey
    self.dailyCap = dailyCap
    self.today = today
    self.kept = kept
    self.sends = sends
  }
}

extension Discovery.SetReviews {
  public init(endpoint: String?, model: String? = nil, key: String? = nil, dailyCap: Int? = nil, _: Void = ()) {
    self.endpoint = endpoint
    self.model = model
    self.key = key
    self.dailyCap = dailyCap
  }
}
