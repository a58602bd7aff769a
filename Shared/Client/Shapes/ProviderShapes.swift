public import Messages
import Model

// The shapes of providers, of the reports about them, and of wishes.

extension Library.ProviderList: JSONRepresentable {
  /// The providers that are linked, and then the kinds that are not, as providers that are off.
  public var json: JSON {
    let unlinked = kinds.filter { kind in !providers.contains { $0.kind == kind.kind } }
    return [
      "items": JSON.array(providers.map(\.json) + unlinked.map(\.unlinked)), "kinds": JSON.list(kinds),
    ]
  }
}

extension Library.ProviderKind {
  /// The shape of a provider of this kind that is not linked.
  fileprivate var unlinked: JSON {
    Library.Provider(name: kind, kind: kind, title: title, health: "off").json(isLinked: false)
  }
}

extension Library.Provider: JSONRepresentable {
  public var json: JSON { json(isLinked: true) }

  fileprivate func json(isLinked: Bool) -> JSON {
    [
      "name": name, "kind": kind, "title": title, "account": account, "linked": isLinked, "isSource": isSource,
      "health": health, "lastRun": lastRun.orNull, "nextRun": nextRun, "added": added, "removed": removed,
      "held": held,
      "parts": parts, "problem": problem,
    ]
  }
}
