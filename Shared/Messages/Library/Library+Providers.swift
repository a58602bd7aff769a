public import Model

/// Providers: services such as ListenBrainz and Spotify, with which the library keeps playlists, liked tracks, albums
/// and artists in step. Nothing is asked of a provider before a person links it.
extension Library {
  /// A part of what a provider has.
  public enum SyncPart: String, TolerantName, CaseIterable {
    case playlists
    /// The liked or loved tracks, which are one playlist here.
    case liked
    /// The albums that a person saved; those that are not in the library are wishes here.
    case albums
    /// The artists whom a person follows; those that are not in the library are wishes here.
    case artists
    case unknown
  }

  /// The side that changes.
  public enum SyncWay: String, TolerantName {
    case off
    /// The library follows the provider.
    case pull
    /// The provider follows the library.
    case push
    case both
    case unknown
  }

  /// The way that a person chose for a part.
  public struct ChosenWay: Codable, Hashable, Sendable {
    /// The part.
    public var part: SyncPart
    /// The way.
    public var way: SyncWay
  }

  /// Lists the services with which playlists and wishes can be kept in step: those that are linked, and the kinds that
  /// can be. None is asked for anything before it is linked. Since 0.2.
  public struct ListProviders: ReadRequest {
    public static let kind = "library.list-providers"
    /// The providers; refused with `storage.failed`.
    public typealias Answer = ProviderList

    public init() {}
  }

  /// The providers that are linked, and the kinds of providers that can be.
  public struct ProviderList: Codable, Hashable, Sendable {
    /// The linked providers, by name. Servers that are sources and have playlists of their own are among them: these
    /// are edited in their own place, and need no link.
    public var providers: [Provider]
    /// The kinds that can be linked, in the order in which to offer them.
    public var kinds: [ProviderKind]
  }

  /// A kind of provider.
  public struct ProviderKind: Codable, Hashable, Sendable {
    /// The name in requests and on the command line, such as `spotify`.
    public var kind: String
    /// The name on screen, such as `Spotify`.
    public var title: String
    /// The way to sign in: `token`, or `link` for an address that a person opens.
    public var signIn: SignInMethod
    /// The sentences that say what a person needs before linking.
    public var hint: String
    /// The web page that gives the token or the client id.
    public var page: String
    /// The parts that it has, with the ways in which each can be kept in step.
    public var parts: [ProviderPart]
  }

  /// A part of what a provider has, and how it is kept in step.
  public struct ProviderPart: Codable, Hashable, Sendable {
    /// The part.
    public var part: SyncPart
    /// The way that was chosen; for a kind of provider the one with which a link begins.
    public var way: SyncWay
    /// The ways that can be chosen, beside `off`.
    public var ways: [SyncWay]
  }

  /// A service with which playlists and wishes are kept in step, or a server that is a source and whose lists are
  /// edited in their own place.
  public struct Provider: Codable, Hashable, Sendable {
    /// The name, such as `spotify`; a second account of a kind has a number behind it.
    public var name: String
    /// The kind, as in `ProviderKind`, or the kind of the source.
    public var kind: String
    /// The name on screen.
    public var title: String
    /// The name of the account; nil if it is not known.
    public var account: String? = nil
    /// The state: `ready`, `syncing`, `waiting` (the provider asked for a pause, or cannot be reached), `signed-out`,
    /// `off` (no part is kept in step), or that of the source.
    public var health: String
    /// True for a server that is a source of music: its lists need no link.
    public var isSource: Bool = false
    /// The parts with the ways that were chosen; empty for a source.
    public var parts: [ProviderPart] = []
    /// The time of the last run; nil if there was none.
    public var lastRun: Timestamp? = nil
    /// The time of the next run; nil if none is planned.
    public var nextRun: Timestamp? = nil
    /// The number of entries that the last run added on either side.
    public var added: Int = 0
    /// The number of entries that the last run removed from either side.
    public var removed: Int = 0
    /// The number of removals that wait for a person's answer.
    public var held: Int = 0
    /// The error of the last run; nil if it succeeded.
    public var problem: LunaraError? = nil
  }

  /// Links a provider, or signs in there again. Where a person signs in at the provider's own page this needs two
  /// requests: the first one is answered with the address to open, the second one has the address at which the browser
  /// ended, within ten minutes. Since 0.2.
  public struct LinkProvider: CommandRequest {
    public static let kind = "library.link-provider"
    /// The linked provider, or the address to open; refused with `library.signInFailed`, `library.tokenNeeded`,
    /// `library.unknownProvider`, `library.signedOut`, `library.providerAway`, `library.badProviderSetting`.
    public typealias Answer = ProviderLinking
    /// The kind, as in `ProviderKind`.
    public var type: String
    /// The token, for kinds with one; nil to use the one with which the household already signed in there.
    public var token: String? = nil
    /// The client id of the person's own application, registered at the provider; nil for kinds without one.
    public var clientID: String? = nil
    /// The address at which the person's browser ended; nil for the first request.
    public var redirect: String? = nil
    /// The base address of the provider's interface, for a server of one's own; nil for the provider's own.
    public var address: String? = nil
    /// The provider that signs in again; nil for a new one.
    public var name: String? = nil
    /// The parts with other ways than those with which a link of this kind begins.
    public var parts: [ChosenWay]? = nil
  }

  /// The result of a request to link a provider: one of both members.
  public struct ProviderLinking: Codable, Hashable, Sendable {
    /// The provider that is linked now.
    public var provider: Provider? = nil
    /// The address that the person opens to allow access. The browser then ends at an address of this machine that
    /// shows nothing; that address is given with the second request, within ten minutes.
    public var open: String? = nil
  }

  /// Chooses what is kept in step with a provider. Since 0.2.
  public struct SetProvider: CommandRequest {
    public static let kind = "library.set-provider"
    /// The provider after the change; refused with `library.unknownProvider`, `library.badProviderSetting`.
    public typealias Answer = Provider
    /// The provider's name.
    public var name: String
    /// The parts whose ways change.
    public var parts: [ChosenWay] = []
    /// Playlists that are no longer kept in step: ids of the library, or the provider's own. Nil for none.
    public var leave: [String]? = nil
    /// Playlists that are kept in step again. Nil for none.
    public var take: [String]? = nil
  }

  /// Ends the link with a provider and deletes the sign-in. What came from it stays, and so does what it got. Since
  /// 0.2.
  public struct UnlinkProvider: CommandRequest {
    public static let kind = "library.unlink-provider"
    /// Refused with `library.unknownProvider`.
    public typealias Answer = Done
    /// The provider's name.
    public var name: String
  }

  /// Starts a run with a provider now. A pause that the provider asked for still holds. Since 0.2.
  public struct SyncProvider: CommandRequest {
    public static let kind = "library.sync-provider"
    /// The provider as the run begins; refused with `library.unknownProvider`, `library.signedOut`.
    public typealias Answer = Provider
    /// The provider's name.
    public var name: String
  }
}
