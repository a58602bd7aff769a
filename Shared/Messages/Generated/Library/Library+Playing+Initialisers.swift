// Generated from Library+Playing.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Library.ListPlayable {
  public init(ids: [PlayableID], after: String? = nil, _: Void = ()) {
    self.ids = ids
    self.after = after
  }
}

extension Library.PlayablePage {
  public init(tracks: [Library.PlayableTrack], next: String?, _: Void = ()) {
    self.tracks = tracks
    self.next = next
  }
}

extension Library.PlayableTrack {
  public init(
    track: Track, path: LocalPath?, host: String, segment: AudioSegment? = nil, described: DescribedTrack? = nil,
    _: Void = ()
  ) {
    self.track = track
    self.path = path
    self.host = host
    self.segment = segment
    self.described = described
  }
}

extension Library.LocateTrack {
  public init(id: TrackID, host: String, described: DescribedTrack? = nil, _: Void = ()) {
    self.id = id
    self.host = host
    self.described = described
  }
}

extension Library.LocateArt {
  public init(id: ArtID, host: String, size: Int? = nil, takesWebP: Bool? = nil, _: Void = ()) {
    self.id = id
    self.host = host
    self.size = size
    self.takesWebP = takesWebP
  }
}

extension Library.PluginSource {
  public init(
    id: String, name: String, insteadOf: String? = nil, isPublic: Bool = true, isPreview: Bool? = nil, _: Void = ()
  ) {
    self.id = id
    self.name = name
    self.insteadOf = insteadOf
    self.isPublic = isPublic
    self.isPreview = isPreview
  }
}

extension Library.AlbumList {
  public init(
    sort: Library.Sort = .name, seed: Int64? = nil, tag: Library.Tag? = nil, tags: [Library.Tag]? = nil,
    isReversed: Bool? = nil, artist: ArtistID? = nil, collection: CollectionID? = nil, albums: [AlbumID]? = nil,
    wall: Discovery.WallName? = nil, _: Void = ()
  ) {
    self.sort = sort
    self.seed = seed
    self.tag = tag
    self.tags = tags
    self.isReversed = isReversed
    self.artist = artist
    self.collection = collection
    self.albums = albums
    self.wall = wall
  }
}

extension Library.ListNextAlbums {
  public init(list: Library.AlbumList, after: AlbumID, limit: Int = 4, _: Void = ()) {
    self.list = list
    self.after = after
    self.limit = limit
  }
}

extension Library.ListRemovedTracks {
  public init(tracks: [TrackID], _: Void = ()) { self.tracks = tracks }
}

extension Library.RemovedTracks {
  public init(tracks: [TrackID], generation: Int64, _: Void = ()) {
    self.tracks = tracks
    self.generation = generation
  }
}
