import Bus
public import Messages
public import Model

// The household as a whole: its processes, its sources of music, and what goes wrong.

extension LunaraError: JSONRepresentable {
  /// `{"code","message","cause"}`.
  public var json: JSON { .object(["code": .text(code), "message": .text(message), "cause": .text(cause)]) }

  /// The answer of who failed: `{"error":{"code","message","cause"}}`.
  public var failureJSON: JSON { .object(["error": json]) }
}

extension HouseholdStatus: JSONRepresentable {
  /// The shape of `status`. Members of what was not heard of are `null`.
  public var json: JSON {
    .object([
      "nodes": .list(nodes), "rooms": .list(rooms), "sources": .list(catalogue?.sources ?? []),
      "catalogue": .optional(catalogue).orNull, "scrobbles": .optional(outbox).orNull,
    ])
  }
}

extension NodeStatus: JSONRepresentable {
  /// The shape of one of `nodes`.
  public var json: JSON {
    .object([
      "role": .text(id.role), "name": .text(id.name), "pid": .count(presence?.pid ?? pid),
      "uptimeSeconds": .seconds(uptime), "version": .text(presence?.version), "away": .bool(isAway),
      "lag": .count(presence?.lag), "journalHead": .count(presence?.journal?.seq),
      "address": .text(presence?.endpoints?.requests), "retired": .bool(presence?.retired ?? false),
      "problem": .optional(presence?.problem),
    ])
  }
}

extension Library.CatalogueState: JSONRepresentable {
  /// The size of the catalogue, and the state of its sources.
  public var json: JSON {
    .object([
      "generation": .count(generation), "albums": .count(albums), "tracks": .count(tracks), "sources": .list(sources),
    ])
  }
}

extension Library.SourceStatus: JSONRepresentable {
  /// The shape of one of `sources` of `status`.
  public var json: JSON {
    .object([
      "name": .text(name), "kind": .text(kind), "health": .text(health), "lastRefreshed": .text(lastRefreshed),
      "albums": .count(albums), "tracks": .count(tracks), "problemCount": .count(problemCount),
      "problems": .list(problems), "progress": .optional(progress), "address": .text(address), "method": .text(method),
      "runs": .list(runs ?? []),
    ])
  }
}

extension Library.Progress: JSONRepresentable {
  /// The progress of a refresh; `rate` is in items a second.
  public var json: JSON {
    .object(["done": .count(done), "total": .count(total), "rate": rate.map { .number($0) } ?? .absent])
  }
}

extension Library.RefreshRun: JSONRepresentable {
  /// The shape of one of `runs`: when the refresh began, and what it came to.
  public var json: JSON { JSON.object(["startedAt": .text(startedAt)]).with(counts.members) }
}

extension Library.SyncFinished: JSONRepresentable {
  /// The shape of a line of `sync`.
  public var json: JSON { JSON.object(["source": .text(source)]).with(counts.members) }
}

extension Library.SyncCounts {
  /// The numbers of changes that a refresh brought.
  fileprivate var members: KeyValuePairs<String, JSON> {
    [
      "new": .count(new), "changed": .count(changed), "unchanged": .count(unchanged), "deleted": .count(deleted),
      "seconds": .number(seconds),
    ]
  }
}

extension Library.SourceDetail: JSONRepresentable {
  /// The shape of one of `sources`: its status, and what is set for it.
  public var json: JSON {
    status.json.with([
      "account": .text(account), "isFromSettings": .bool(isFromSettings), "sections": .list(sections),
    ])
  }
}

extension Library.SourceDetail.Section: JSONRepresentable {
  /// A section of a server, or a folder.
  public var json: JSON {
    .object([
      "key": .text(key), "title": .text(title), "isOn": .bool(isOn), "tracks": .count(tracks),
      "isFromSettings": isFromSettings.map { .bool($0) } ?? .absent,
    ])
  }
}

extension Library.SourceAdded: JSONRepresentable {
  /// The name of the source that was added.
  public var json: JSON { .object(["name": .text(name)]) }
}

extension Library.SourceOrder: JSONRepresentable {
  /// The sources, the one whose copies are preferred first.
  public var json: JSON { .object(["names": .list(names) { .text($0) }]) }
}

extension Library.SignIn {
  /// Returns a sign-in that waits for a person; `code` is what one types at `page`.
  public func json(at service: String) -> JSON {
    .object([
      "id": .text(id), "service": .text(service), "state": .text("waiting"), "code": .text(code), "page": .text(page),
      "link": .text(link), "expiresAt": .text(expiresAt),
    ])
  }
}

extension Scrobble.SignIn {
  /// Returns a sign-in that waits for a person.
  public func json(at service: String) -> JSON {
    .object([
      "id": .text(id), "service": .text(service), "state": .text("waiting"), "link": .text(link),
      "expiresAt": .text(expiresAt),
    ])
  }
}

extension Library.SignInState: JSONRepresentable {
  /// The state of a sign-in: `waiting`, `done`, `expired` or `failed`.
  public var json: JSON {
    .object([
      "state": .text(state), "account": .text(account), "sources": .list(sources) { .string($0) },
      "error": .optional(error),
    ])
  }
}

extension Scrobble.SignInState: JSONRepresentable {
  /// The state of a sign-in; a `link` that changed is to be shown again.
  public var json: JSON {
    .object([
      "state": .text(state), "account": .text(account), "link": .text(link), "sources": .array([]),
      "error": .optional(error),
    ])
  }
}
