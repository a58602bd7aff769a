import Messages
import Model
import Records
import Storage

/// A kind of service that can receive opinions.
struct OpinionService: Hashable, Sendable {
  /// The kind of source, or `listenbrainz`.
  var name: String
  var title: String
  /// The opinion that it receives.
  var tells: Library.Opinion
  /// A sentence on what it receives.
  var sends: String
  /// True if it is on until a person switches it off.
  var isOnAtFirst: Bool
}

/// The kinds of service that can receive opinions, and the switch of each.
///
/// A person's own servers receive opinions until that is switched off. ListenBrainz receives them only once it is
/// switched on, as they leave the house.
enum OpinionServices {
  static let listenBrainz = OpinionService(
    name: "listenbrainz", title: "ListenBrainz", tells: .dislike,
    sends: "A dislike asks ListenBrainz not to recommend the album to the account that scrobbles. Likes are not sent.",
    isOnAtFirst: false)

  /// Returns all kinds, in their order on screen.
  static func all(_ kinds: SourceKinds) -> [OpinionService] {
    let servers = kinds.all.compactMap { kind in
      kind.sendsOfLikes.map {
        OpinionService(name: kind.kind.kind, title: kind.kind.title, tells: .like, sends: $0, isOnAtFirst: true)
      }
    }
    return servers + [listenBrainz]
  }

  /// Returns the name of one kind, or of all. Throws `library.unknownService`.
  static func names(_ name: String?, _ kinds: SourceKinds) throws -> [String] {
    let known = all(kinds).map(\.name)
    guard let name else { return known }
    guard known.contains(name) else {
      throw LunaraError(
        "library.unknownService",
        "There is no service \(name.prefix(80)) that receives opinions. There are \(known.joined(separator: ", ")).")
    }
    return [name]
  }

  static func isOn(_ service: OpinionService, _ transaction: ReadTransaction) throws -> Bool {
    try transaction.value("SELECT is_on FROM opinion_sharing WHERE service = ?", service.name) ?? service.isOnAtFirst
  }

  /// Switches a kind on or off. What waits is no longer told once it is off. Throws `library.unknownService`.
  static func set(_ request: Library.SetOpinionSharing, _ kinds: SourceKinds, _ transaction: Transaction) throws {
    let names = try names(request.service, kinds)
    for name in names {
      try transaction.execute(
        "INSERT OR REPLACE INTO opinion_sharing (service, is_on) VALUES (?, ?)", name, request.isOn)
      if !request.isOn { try transaction.execute("DELETE FROM opinion_outbox WHERE service = ?", name) }
    }
  }

  static func list(_ kinds: SourceKinds, _ transaction: ReadTransaction) throws -> Library.OpinionSharing {
    Library.OpinionSharing(
      services: try all(kinds).map { service in
        let state = try OpinionOutbox.state(of: service.name, transaction)
        return Library.OpinionSharing.Service(
          service: service.name, title: service.title, sends: service.sends, isOn: try isOn(service, transaction),
          waiting: state.waiting, failed: state.failed, problem: state.problem)
      })
  }
}
