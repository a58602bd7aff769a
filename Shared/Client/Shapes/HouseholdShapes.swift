import Bus
public import Messages
public import Model

// The shapes of the household as a whole: its processes, its music sources, and errors.

extension LunaraError: JSONRepresentable {
  /// The shape `{"code","message","cause"}`.
  public var json: JSON { ["code": code, "message": message, "cause": cause] }

  /// The answer of a failed command or request: `{"error":{"code","message","cause"}}`.
  public var failureJSON: JSON { ["error": json] }
}

extension HouseholdStatus: JSONRepresentable {
  /// The shape of `status`. Unknown members are `null`.
  public var json: JSON {
    [
      "nodes": nodes, "rooms": rooms, "sources": catalogue?.sources ?? [], "catalogue": catalogue.orNull,
      "scrobbles": outbox.orNull,
    ]
  }
}

extension NodeStatus: JSONRepresentable {
  public var json: JSON {
    [
      "role": id.role, "name": id.name, "pid": presence?.pid ?? pid, "uptimeSeconds": uptime,
      "version": presence?.version, "away": isAway, "lag": presence?.lag, "journalHead": presence?.journal?.seq,
      "address": presence?.endpoints?.requests, "retired": presence?.retired ?? false, "problem": presence?.problem,
    ]
  }
}

extension Library.SourceStatus: JSONRepresentable {
  public var json: JSON {
    [
      "name": name, "kind": kind, "health": health, "lastRefreshed": lastRefreshed, "albums": albums, "tracks": tracks,
      "problemCount": problemCount, "problems": problems, "progress": progress, "address": address, "method": method,
      "runs": runs ?? [], "unused": unused, "ignored": ignored,
    ]
  }
}

extension Library.RefreshRun: JSONRepresentable {
  public var json: JSON { (["startedAt": startedAt] as JSON).with(counts.members) }
}

extension Library.SyncFinished: JSONRepresentable {
  /// The shape of a line of `sync`.
  public var json: JSON {
    let line = (["source": source] as JSON).with(counts.members)
    // Servers have no files to leave out.
    return counts.unused == nil ? line : line.with(["unused": counts.unused, "ignored": counts.ignored])
  }
}

extension Library.SyncCounts {
  /// The members with the counts of a refresh.
  fileprivate var members: KeyValuePairs<String, any JSONRepresentable> {
    ["new": new, "changed": changed, "unchanged": unchanged, "deleted": deleted, "seconds": seconds]
  }
}

extension Library.SignIn {
  /// Returns the shape of a sign-in that waits for a person; `code` is to be typed at `page`.
  public func json(at service: String) -> JSON {
    [
      "id": id, "service": service, "state": "waiting", "code": code, "page": page, "link": link,
      "expiresAt": expiresAt,
    ]
  }
}

extension Scrobble.SignIn {
  /// Returns the shape of a sign-in that waits for a person.
  public func json(at service: String) -> JSON {
    ["id": id, "service": service, "state": "waiting", "link": link, "expiresAt": expiresAt]
  }
}

extension Scrobble.SignInState: JSONRepresentable {
  /// The shape of a sign-in's state; if `link` has changed, it has to be shown again.
  public var json: JSON {
    ["state": state, "account": account, "link": link, "sources": JSON.array([]), "error": error]
  }
}

// Descriptions of the kinds of sources and scrobble services, from which the CLI and the page offer them without code
// for each kind.

extension Library.SourceList: JSONRepresentable {
  /// The shape of the sources, and of the kinds that can be added; an older library lists no kinds.
  public var json: JSON { ["items": sources, "kinds": kinds ?? []] }
}
