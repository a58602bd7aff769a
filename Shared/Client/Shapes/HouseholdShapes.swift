import Bus
public import Messages
public import Model

// The household as a whole: its processes, its sources of music, and what goes wrong.

extension LunaraError: JSONRepresentable {
  /// `{"code","message","cause"}`.
  public var json: JSON { ["code": code, "message": message, "cause": cause] }

  /// The answer of a command or request that failed: `{"error":{"code","message","cause"}}`.
  public var failureJSON: JSON { ["error": json] }
}

extension HouseholdStatus: JSONRepresentable {
  /// The shape of `status`. Members that are not known are `null`.
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

extension Library.CatalogueState: JSONRepresentable {
  public var json: JSON { ["generation": generation, "albums": albums, "tracks": tracks, "sources": sources] }
}

extension Library.SourceStatus: JSONRepresentable {
  public var json: JSON {
    [
      "name": name, "kind": kind, "health": health, "lastRefreshed": lastRefreshed, "albums": albums, "tracks": tracks,
      "problemCount": problemCount, "problems": problems, "progress": progress, "address": address, "method": method,
      "runs": runs ?? [],
    ]
  }
}

extension Library.Progress: JSONRepresentable {
  /// The progress of a refresh; `rate` is in items a second.
  public var json: JSON { ["done": done, "total": total, "rate": rate] }
}

extension Library.RefreshRun: JSONRepresentable {
  public var json: JSON { (["startedAt": startedAt] as JSON).with(counts.members) }
}

extension Library.SyncFinished: JSONRepresentable {
  /// The shape of a line of `sync`.
  public var json: JSON { (["source": source] as JSON).with(counts.members) }
}

extension Library.SyncCounts {
  /// The numbers of changes that a refresh brought.
  fileprivate var members: KeyValuePairs<String, any JSONRepresentable> {
    ["new": new, "changed": changed, "unchanged": unchanged, "deleted": deleted, "seconds": seconds]
  }
}

extension Library.SourceDetail: JSONRepresentable {
  public var json: JSON {
    status.json.with(["account": account, "isFromSettings": isFromSettings, "sections": sections])
  }
}

extension Library.SourceDetail.Section: JSONRepresentable {
  public var json: JSON {
    ["key": key, "title": title, "isOn": isOn, "tracks": tracks, "isFromSettings": isFromSettings]
  }
}

extension Library.SourceAdded: JSONRepresentable {
  public var json: JSON { ["name": name] }
}

extension Library.SourceOrder: JSONRepresentable {
  /// The sources, the one whose copies are preferred first.
  public var json: JSON { ["names": names] }
}

extension Library.SignIn {
  /// Returns a sign-in that waits for a person; `code` is what one types at `page`.
  public func json(at service: String) -> JSON {
    [
      "id": id, "service": service, "state": "waiting", "code": code, "page": page, "link": link,
      "expiresAt": expiresAt,
    ]
  }
}

extension Scrobble.SignIn {
  /// Returns a sign-in that waits for a person.
  public func json(at service: String) -> JSON {
    ["id": id, "service": service, "state": "waiting", "link": link, "expiresAt": expiresAt]
  }
}

extension Library.SignInState: JSONRepresentable {
  /// The state of a sign-in: `waiting`, `done`, `expired` or `failed`.
  public var json: JSON { ["state": state, "account": account, "sources": sources, "error": error] }
}

extension Scrobble.SignInState: JSONRepresentable {
  /// The state of a sign-in; a `link` that changed is to be shown again.
  public var json: JSON {
    ["state": state, "account": account, "link": link, "sources": JSON.array([]), "error": error]
  }
}

// The kinds of sources and of scrobble services, described so that the CLI and the page offer them without knowing any.

extension Library.SourceList: JSONRepresentable {
  /// The sources, and the kinds of sources that can be added; no kinds from a library of an older version.
  public var json: JSON { ["items": sources, "kinds": kinds ?? []] }
}

extension Library.SourceKind: JSONRepresentable {
  /// A kind of source: how one signs in, the usual way first, and the settings to ask for.
  public var json: JSON {
    [
      "kind": kind, "title": title, "hint": hint, "signIn": signIn.map(\.rawValue), "settings": settings,
      "capabilities": capabilities.map(\.rawValue),
    ]
  }
}

extension Library.SourceSetting: JSONRepresentable {
  public var json: JSON {
    [
      "key": key, "title": title, "meaning": meaning, "name": name, "isSecret": isSecret, "isSwitch": isSwitch,
      "isRequired": isRequired,
    ]
  }
}

extension Scrobble.ServiceDescriptor: JSONRepresentable {
  /// A kind of scrobble service: how one signs in, the usual way first, and what that needs.
  public var json: JSON {
    [
      "kind": kind, "title": title, "address": address, "signIn": signIn.map(\.rawValue), "hint": hint, "page": page,
      "settings": JSON.list(settings) { ["name": $0.name, "meaning": $0.meaning, "isSecret": $0.isSecret] },
      "capabilities": capabilities.map(\.rawValue),
    ]
  }
}
