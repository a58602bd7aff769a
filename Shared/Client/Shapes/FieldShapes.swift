public import Messages
public import Model

/// A value whose shape has the properties of its type as members, each in its own shape. A property that is added to
/// the type is thereby shown, and `make generate` adds it to the description of the API.
///
/// A duration is in seconds, and its member says so: `durationSeconds` for `duration`. The cursor `next` is null on the
/// last page; other members without a value are absent.
///
/// The properties are read by reflection, which takes 9 µs for seven of them: long lists have shapes of their own.
public protocol FieldShaped: JSONRepresentable {}

extension FieldShaped {
  public var json: JSON { .object(JSON.members(Mirror(reflecting: self).children)) }
}

/// A value whose shape is that of its first property, with the other properties as further members.
public protocol ExtendedShaped: FieldShaped {}

extension ExtendedShaped {
  public var json: JSON {
    let properties = Mirror(reflecting: self).children
    guard let first = properties.first, case .object(let members) = JSON.shape(of: first.value) else { return .absent }
    return .object(members + JSON.members(properties.dropFirst()))
  }
}

extension JSON {
  fileprivate static func members(_ properties: some Sequence<Mirror.Child>) -> [Member] {
    properties.compactMap { property in
      guard let label = property.label else { return nil }
      let isDuration = type(of: property.value) == Milliseconds.self || type(of: property.value) == Milliseconds?.self
      let shape = shape(of: property.value)
      return Member(key: isDuration ? label + "Seconds" : label, value: label == "next" ? shape.orNull : shape)
    }
  }

  /// Returns the shape of a property: its own, the text of a name, or that of what an optional or a list holds.
  fileprivate static func shape(of value: Any) -> JSON {
    if let value = value as? any JSONRepresentable { return value.json }
    if let name = value as? any RawRepresentable<String> { return .string(name.rawValue) }
    let parts = Mirror(reflecting: value)
    switch parts.displayStyle {
    case .optional: return parts.children.first.map { shape(of: $0.value) } ?? .absent
    case .collection: return .array(parts.children.map { shape(of: $0.value) })
    default: return .object(members(parts.children))
    }
  }
}

extension TrackFacts: FieldShaped {}
extension AlbumFacts: FieldShaped {}
extension AlbumDisc: FieldShaped {}
extension AudioProperties: FieldShaped {}
extension Levels: FieldShaped {}
extension MusicCollection: FieldShaped {}
extension Work: FieldShaped {}

extension Library.AlbumIndex: FieldShaped {}
extension Library.AlbumCredit: ExtendedShaped {}
extension Library.CollectionPage: ExtendedShaped {}
extension Library.CreditGroup: FieldShaped {}
extension Library.CreditedTrack: ExtendedShaped {}
extension Library.FolderPage.Folder: FieldShaped {}
extension Library.ProblemCount: FieldShaped {}
extension Library.ProblemPage: FieldShaped {}
extension Library.Tag: FieldShaped {}
extension Library.TagCount: FieldShaped {}
extension Library.WorkEntry: FieldShaped {}
extension Library.WorkPage: ExtendedShaped {}
extension Library.AlbumSound: FieldShaped {}
extension Library.TrackTags: FieldShaped {}
extension Library.Lyrics: FieldShaped {}
extension Library.BestResult: FieldShaped {}
extension Library.CatalogueChanged: FieldShaped {}
extension Library.NoteChanged: FieldShaped {}
extension Library.MarkChanged: FieldShaped {}
extension Library.TodoChanged: FieldShaped {}
extension Library.ThemeChanged: FieldShaped {}
extension Library.PlayCounts.Row: FieldShaped {}
extension Library.Statistics: FieldShaped {}
extension Library.Statistics.Totals: FieldShaped {}
extension Library.Statistics.Step: FieldShaped {}
extension Library.CatalogueState: FieldShaped {}
extension Library.Progress: FieldShaped {}
extension Library.SourceDetail.Section: FieldShaped {}
extension Library.SourceDetail: ExtendedShaped {}
extension Library.SourceAdded: FieldShaped {}
extension Library.SourceOrder: FieldShaped {}
extension Library.SignInState: FieldShaped {}
extension Library.SourceKind: FieldShaped {}
extension Library.SourceSetting: FieldShaped {}
extension Library.ImportedRatings: FieldShaped {}
extension Library.ImportedPlays: FieldShaped {}
extension Library.UndoneImport: FieldShaped {}
extension Library.UndoneListenImport: FieldShaped {}
extension Library.SharingProblem: FieldShaped {}
extension Library.OpinionSharing: FieldShaped {}
extension Library.OpinionSharing.Service: FieldShaped {}
extension Library.OpinionPage: FieldShaped {}
extension Library.OpinionIDs: FieldShaped {}
extension Library.ProviderKind: FieldShaped {}
extension Library.ProviderLinking: FieldShaped {}
extension Library.ProviderReports: FieldShaped {}
extension Library.ProviderReport: FieldShaped {}
extension Library.ProviderQuestion: FieldShaped {}
extension Library.ProviderRemoval: FieldShaped {}
extension Library.ProviderPlaylist: FieldShaped {}
extension Library.ProviderPart: FieldShaped {}
extension Library.RulesPreview: FieldShaped {}
extension Library.Wish: FieldShaped {}
extension Library.RediscoveryDay: FieldShaped {}
extension Library.RediscoveryShelf: FieldShaped {}
extension Library.ExplainedAlbum: ExtendedShaped {}
extension Library.ThemeLook: FieldShaped {}

extension Playback.OfflineChange: FieldShaped {}
extension Playback.ListenStarted: ExtendedShaped {}
extension Playback.ListenEnded: ExtendedShaped {}
extension Playback.QueueSummary: FieldShaped {}

extension Router.Played: FieldShaped {}

extension Resolver.Account: FieldShaped {}
extension Resolver.SignIn: FieldShaped {}
extension Resolver.Device: FieldShaped {}
extension Resolver.SharingList: FieldShaped {}
extension Resolver.ChatQuestion: FieldShaped {}
extension Resolver.UnwantedMusic: FieldShaped {}
extension Resolver.UnwantedList: FieldShaped {}
extension Resolver.PluginList: FieldShaped {}
extension Resolver.UnusableFile: FieldShaped {}
extension Resolver.Offer: FieldShaped {}
extension Resolver.ListedPlugin: FieldShaped {}
extension Resolver.ShownTrackList: FieldShaped {}
extension Resolver.ShownTracksState: FieldShaped {}
extension Resolver.ConcertList: FieldShaped {}
extension Resolver.Concert: FieldShaped {}
extension Resolver.Concert.Ticket: ExtendedShaped {}
extension Resolver.DeviceList: FieldShaped {}
extension Resolver.DevicePlayback: FieldShaped {}
extension Resolver.GeneratedQueue: ExtendedShaped {}
extension Resolver.Inheritable: FieldShaped {}
extension Resolver.OpenedAddress: ExtendedShaped {}
extension Resolver.PluginFailure: ExtendedShaped {}
extension Resolver.PluginSetting.Choice: FieldShaped {}
extension Resolver.SearchHits: ExtendedShaped {}
extension Resolver.Sharing: ExtendedShaped {}
extension Resolver.UpdateList: FieldShaped {}

extension Discovery.Article: FieldShaped {}
extension Discovery.ArticleGuess: FieldShaped {}
extension Discovery.ArticleSettings: FieldShaped {}
extension Discovery.ArticleStatus: ExtendedShaped {}
extension Discovery.ArticleSubject: FieldShaped {}
extension Discovery.DataSource: FieldShaped {}
extension Discovery.WallName: FieldShaped {}
extension Discovery.SimilarAlbums: FieldShaped {}
extension Discovery.Genre: FieldShaped {}
extension Discovery.GenreList: FieldShaped {}
extension Discovery.DialRow: FieldShaped {}
extension Discovery.Diagnostics: FieldShaped {}
extension Discovery.DataSource.Outside: FieldShaped {}
extension Discovery.SourceList: FieldShaped {}
extension Discovery.MissingAlbum: FieldShaped {}
extension Discovery.Wish: FieldShaped {}
extension Discovery.WishList: FieldShaped {}
extension Discovery.ReviewStatus: FieldShaped {}
extension Discovery.Review: FieldShaped {}
extension Discovery.ReviewSettings: FieldShaped {}

extension Scrobble.DeliverySent: FieldShaped {}
extension Scrobble.DeliveryFailed: FieldShaped {}
extension Scrobble.AccountPaused: FieldShaped {}
extension Scrobble.Destination: FieldShaped {}
extension Scrobble.FailedLoves: FieldShaped {}
extension Scrobble.FailedLove: FieldShaped {}
extension Scrobble.ListenCounted: ExtendedShaped {}
extension Scrobble.LoveFailed: ExtendedShaped {}
extension Scrobble.Account: FieldShaped {}
extension Scrobble.AccountAdded: FieldShaped {}
extension Scrobble.DeliveryCount: FieldShaped {}
extension Scrobble.Imported: FieldShaped {}
extension Scrobble.ServiceDescriptor: FieldShaped {}
