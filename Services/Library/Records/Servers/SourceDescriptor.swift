package import Messages
import Model
package import ServiceKit

/// The description of a kind of source: the texts and settings that people see, and the functions that connect to a
/// source. Each kind has one, in its own folder; the rest of the library uses it and never compares names of kinds.
package struct SourceDescriptor: Sendable {
  package struct Setup: Hashable, Sendable {
    package var address: String
    package var account: String?
    package var secret: String?
  }

  package let kind: Library.SourceKind
  /// False for a kind whose servers keep whole stars only.
  package var keepsHalfStars = true
  /// A sentence on what servers of the kind receive for a like; nil for a kind that receives nothing.
  package var sendsOfLikes: String?
  /// The source that the settings set up; nil if they name no address.
  package var setup: Setup?
  /// Returns an address in the one form that all its spellings have. Refuses one that no source of this kind can have,
  /// or that carries a secret.
  package var baseAddress: @Sendable (_ address: String) throws -> String = { $0 }
  /// Makes a connection from a record and its secret (nil if none is known), without sending a request; nil for the
  /// kind that has no servers.
  package var connect: (@Sendable (SourceRecord, _ secret: String?) throws -> any MusicServer)?
  /// Makes the account that people sign in to by a link; nil for kinds without one. After a sign-in the account calls
  /// `adopt` with its servers.
  package var account: (@Sendable (_ adopt: @escaping SourceAccount.Adoption) -> any SourceAccount)?

  package init(
    _ kind: Library.SourceKind, keepsHalfStars: Bool = true, sendsOfLikes: String? = nil, settings: Settings? = nil,
    baseAddress: @escaping @Sendable (String) throws -> String = { $0 },
    account: (@Sendable (_ adopt: @escaping SourceAccount.Adoption) -> any SourceAccount)? = nil,
    connect: (@Sendable (SourceRecord, _ secret: String?) throws -> any MusicServer)? = nil
  ) {
    self.kind = kind
    self.baseAddress = baseAddress
    self.account = account
    self.connect = connect
    self.keepsHalfStars = keepsHalfStars
    self.sendsOfLikes = sendsOfLikes
    func value(_ key: String) -> String? {
      kind.settings.first { $0.key == key }?.name.flatMap { name in settings?[name] }
    }
    setup = value("address").map { Setup(address: $0, account: value("user"), secret: value("secret")) }
  }

  func can(_ capability: Capability) -> Bool { kind.capabilities.contains(capability) }

  /// Returns true if two addresses are spellings of one; false if either is no address of this kind.
  package func isSame(_ first: String?, _ second: String) -> Bool {
    guard let first else { return false }
    do { return try baseAddress(first) == baseAddress(second) } catch { return false }
  }

  /// Returns true if plays are sent to a source with these settings: its kind counts plays, and if the kind has the
  /// switch `forwardsPlays`, a person turned it on.
  package func receivesPlays(_ settings: String?) -> Bool {
    guard can(.plays) else { return false }
    let key = SourceSettings.forwardsPlays
    guard kind.settings.contains(where: { $0.key == key }) else { return true }
    // Settings that cannot be read count as off; an error here would keep the listen from being stored.
    do { return try SourceSettings(settings).isOn(key) } catch { return false }
  }
}

package struct SourceKinds: Sendable {
  /// All kinds, in the order in which people are offered them.
  package let all: [SourceDescriptor]

  package init(_ all: [SourceDescriptor]) { self.all = all }

  /// The description of a kind; nil for one that this version does not know.
  package subscript(kind: String) -> SourceDescriptor? { all.first { $0.kind.kind == kind } }

  /// Returns true if sources of a kind have a capability. Unknown kinds, of a newer version, are assumed to have it:
  /// the attempt then fails with an error that says why.
  package func can(_ capability: Capability, _ kind: String) -> Bool { self[kind]?.can(capability) ?? true }
}

/// The settings that a person chose for one source beside its address, user and secret, stored with it as JSON.
package struct SourceSettings: Codable, Hashable, Sendable {
  /// The key of the switch that sends plays to the server.
  package static let forwardsPlays = "forwardsPlays"
  /// The key of the switch that allows the password to be sent unencrypted.
  package static let exposesPassword = "exposesPassword"

  enum Value: Codable, Hashable, Sendable {
    case text(String)
    case isOn(Bool)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      do { self = .isOn(try container.decode(Bool.self)) } catch {
        // A value of another type is of a newer version, and is read as if it was not set.
        do { self = .text(try container.decode(String.self)) } catch { self = .text("") }
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .text(let text): try container.encode(text)
      case .isOn(let isOn): try container.encode(isOn)
      }
    }
  }

  private var values: [String: Value] = [:]

  /// Reads stored settings; nil means that none were ever set.
  package init(_ json: String?) throws {
    guard let json else { return }
    values = try MessageCoding.decode([String: Value].self, from: Array(json.utf8))
  }

  package func isOn(_ key: String) -> Bool { values[key] == .isOn(true) }

  /// Returns stored settings, as JSON, changed by those of a request that its kind has; nil if none were ever set.
  /// They do not include secrets.
  package static func merged(_ json: String?, with request: Library.AddSource, of kind: Library.SourceKind) throws
    -> String?
  {
    var chosen = Dictionary((request.settings ?? []).map { ($0.key, $0.value) }) { $1 }
    chosen[exposesPassword] = request.exposesPassword.map { "\($0)" } ?? chosen[exposesPassword]
    chosen[forwardsPlays] = request.forwardsPlays.map { "\($0)" } ?? chosen[forwardsPlays]
    let members: Set = ["address", "user", "secret"]
    let decided = kind.settings.filter { !members.contains($0.key) && !$0.isSecret && chosen[$0.key] != nil }
    guard !decided.isEmpty else { return json }
    var settings = try SourceSettings(json)
    for setting in decided {
      let text = chosen[setting.key] ?? ""
      settings.values[setting.key] = setting.isSwitch ? .isOn(text == "true") : .text(text)
    }
    return String(decoding: try MessageCoding.encode(settings.values), as: UTF8.self)
  }
}
