public import Model

extension Resolver {
  /// The account that a plugin wants at its service.
  public struct Account: Codable, Hashable, Sendable {
    /// The name of the service.
    public var service: String
    /// True if somebody is signed in.
    public var isSignedIn: Bool
    /// The name of the account at the service; nil if unknown.
    public var name: String? = nil
    /// The time of the sign-in; nil if nobody is signed in.
    public var since: Timestamp? = nil
    /// The client id of the person's own application; nil if none was given yet.
    public var clientID: String? = nil
    /// True if the applications of the service have a secret.
    public var needsSecret: Bool = false
    /// True if a secret was given. It is never shown.
    public var hasSecret: Bool = false
    /// The redirect address that the person's application has to name.
    public var redirect: String
    /// The page at which a person makes an application.
    public var page: String
    /// The reason why the account was signed out, or cannot be read; nil if there is none.
    public var problem: LunaraError? = nil
  }

  /// Begins the sign-in of a plugin at its service, by the application of the person. It has to be finished in five
  /// minutes. Since 0.2.
  public struct BeginSignIn: CommandRequest {
    public static let kind = "resolver.begin-sign-in"
    /// The address to open; refused with `resolver.unknownPlugin`, `resolver.noAccount`, `resolver.clientNeeded`.
    public typealias Answer = SignIn
    /// The plugin.
    public var plugin: String
    /// The client id of the person's application; nil for the one that is known.
    public var clientID: String? = nil
    /// The application's secret; nil for the one that is known, or for a service without secrets.
    public var clientSecret: String? = nil
  }

  /// A sign-in that has begun.
  public struct SignIn: Codable, Hashable, Sendable {
    /// The address that the person opens to allow access.
    public var open: String
    /// The address of the person's machine at which the browser ends, with the code behind it.
    public var redirect: String
    /// The time until which the sign-in has to be finished.
    public var expiresAt: Timestamp
  }

  /// Finishes the sign-in of a plugin. Since 0.2.
  public struct FinishSignIn: CommandRequest {
    public static let kind = "resolver.finish-sign-in"
    /// The plugin, with its account; refused with `resolver.unknownPlugin`, `resolver.noAccount`,
    /// `resolver.signInFailed`, `resolver.accountAway`.
    public typealias Answer = Plugin
    /// The plugin.
    public var plugin: String
    /// The whole address at which the person's browser ended.
    public var redirect: String
  }

  /// Forgets the sign-in of a plugin and its tokens. The client id of the person's application is kept. Since 0.2.
  public struct SignOut: CommandRequest {
    public static let kind = "resolver.sign-out"
    /// The plugin; refused with `resolver.unknownPlugin`, `resolver.noAccount`.
    public typealias Answer = Plugin
    /// The plugin.
    public var plugin: String
  }

  /// A device at which an account sounds by a program of its service.
  public struct Device: Codable, Hashable, Sendable {
    /// The service's id.
    public var id: String
    /// The name that a person gave it, a stranger's text.
    public var name: String
    /// The kind in the service's word, such as `computer`, `smartphone` or `speaker`, in lower case.
    public var kind: String
    /// True if it sounds, or did last.
    public var isActive: Bool
    /// True if it takes no orders from here.
    public var isRestricted: Bool
  }

  /// Lists the devices of the account of a plugin. Since 0.2.
  public struct ListDevices: ReadRequest {
    public static let kind = "resolver.list-devices"
    /// The devices; refused with `resolver.unknownPlugin`, `resolver.deviceRefused`, `resolver.noDevices` for a plugin
    /// whose account has none, `resolver.signedOut`, `resolver.accountAway`.
    public typealias Answer = DeviceList
    /// The plugin.
    public var plugin: String
  }

  /// The devices of an account.
  public struct DeviceList: Codable, Hashable, Sendable {
    /// The devices of the person's account, in the service's order.
    public var devices: [Device]
    /// The id of the one that plays where a person names none; nil without devices.
    public var chosen: String?
  }

  /// Plays tracks on a device of a person's account. That device makes the sound, never a room, and no listen is
  /// counted here. Since 0.2.
  public struct PlayOnDevice: CommandRequest {
    public static let kind = "resolver.play-on-device"
    /// The largest number of tracks.
    public static let limit = 50
    /// The device; refused with `resolver.unknownPlugin`, `resolver.noDevices`, `resolver.unknownDevice`,
    /// `resolver.deviceRefused`, `resolver.notFound`, `resolver.signedOut`, `resolver.accountAway`.
    public typealias Answer = DevicePlayback
    /// The plugin that finds the tracks.
    public var plugin: String
    /// The tracks, of which the first 50 are played.
    public var described: [DescribedTrack]
    /// The id or name of the device; nil to have one chosen.
    public var device: String? = nil
  }

  /// The result of `PlayOnDevice`.
  public struct DevicePlayback: Codable, Hashable, Sendable {
    /// The device that plays.
    public var device: Device
    /// The number of tracks that it plays.
    public var tracks: Int
    /// The tracks that the plugin did not find.
    public var missing: [DescribedTrack] = []
  }
}
