// Generated from Library+Opinions.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Library.SetOpinion {
  public init(id: AlbumID, opinion: Library.Opinion?, _: Void = ()) {
    self.id = id
    self.opinion = opinion
  }
}

extension Library.OpinionBefore {
  public init(before: Library.Opinion?, _: Void = ()) { self.before = before }
}

extension Library.ListOpinions {
  public init(opinion: Library.Opinion? = nil, after: String? = nil, limit: Int = 200, _: Void = ()) {
    self.opinion = opinion
    self.after = after
    self.limit = limit
  }
}

extension Library.OpinionPage {
  public init(items: [Library.AlbumOpinion], next: String? = nil, _: Void = ()) {
    self.items = items
    self.next = next
  }
}

extension Library.AlbumOpinion {
  public init(
    id: AlbumID, title: String, artist: String, year: Int? = nil, art: ArtID? = nil, opinion: Library.Opinion,
    at: Timestamp, isHere: Bool? = nil, problems: [Library.SharingProblem]? = nil, _: Void = ()
  ) {
    self.id = id
    self.title = title
    self.artist = artist
    self.year = year
    self.art = art
    self.opinion = opinion
    self.at = at
    self.isHere = isHere
    self.problems = problems
  }
}

extension Library.SharingProblem {
  public init(service: String, error: LunaraError, _: Void = ()) {
    self.service = service
    self.error = error
  }
}

extension Library.ReadOpinions {
  public init(since: Int64? = nil, after: String? = nil, _: Void = ()) {
    self.since = since
    self.after = after
  }
}

extension Library.OpinionIDs {
  public init(
    revision: Int64, isSame: Bool = false, likes: [AlbumID] = [], dislikes: [AlbumID] = [], next: String? = nil,
    _: Void = ()
  ) {
    self.revision = revision
    self.isSame = isSame
    self.likes = likes
    self.dislikes = dislikes
    self.next = next
  }
}

extension Library.OpinionChanged {
  public init(
    id: AlbumID, opinion: Library.Opinion?, title: String, artist: String, releaseGroup: String? = nil, _: Void = ()
  ) {
    self.id = id
    self.opinion = opinion
    self.title = title
    self.artist = artist
    self.releaseGroup = releaseGroup
  }
}

extension Library.OpinionSharing.Service {
  public init(
    service: String, title: String, sends: String, isOn: Bool, waiting: Int = 0, failed: Int = 0,
    problem: LunaraError? = nil, _: Void = ()
  ) {
    self.service = service
    self.title = title
    self.sends = sends
    self.isOn = isOn
    self.waiting = waiting
    self.failed = failed
    self.problem = problem
  }
}

extension Library.OpinionSharing {
  public init(services: [Service], _: Void = ()) { self.services = services }
}

extension Library.SetOpinionSharing {
  public init(service: String, isOn: Bool, _: Void = ()) {
    self.service = service
    self.isOn = isOn
  }
}

extension Library.RetryOpinions {
  public init(service: String? = nil, _: Void = ()) { self.service = service }
}

extension Library.ListSimilarAlbums {
  public init(id: AlbumID, limit: Int = 25, _: Void = ()) {
    self.id = id
    self.limit = limit
  }
}

extension Library.SimilarAlbums {
  public init(albums: [AlbumID], _: Void = ()) { self.albums = albums }
}
