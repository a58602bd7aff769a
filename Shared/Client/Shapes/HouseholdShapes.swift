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

extension Library.CatalogueState: JSONRepresentable {
  public var json: JSON {
    ["generation": generation, "lists": lists, "albums": albums, "tracks": tracks, "sources": sources]
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

extension Library.Progress: JSONRepresentable {
  /// The shape of the progress of a refresh; `rate` is in items a second.
  public var json: JSON { ["done": done, "total": total, "rate": rate] }
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
  /// The shape of the order of sources, best first.
  public var json: JSON { ["names": names] }
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

extension Library.SignInState: JSONRepresentable {
  /// The shape of a sign-in's state: `waiting`, `done`, `expired` or `failed`.
  public var json: JSON { ["state": state, "account": account, "sources": sources, "error": error] }
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

extension Library.SourceKind: JSONRepresentable {
  /// The shape of a kind of source: the ways to sign in, the usual one first, and the settings to ask for.
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
  /// The shape of a kind of scrobble service: the ways to sign in, the usual one first, and the settings that they
  /// need.
  public var json: JSON {
    [
      "kind": kind, "title": title, "address": address, "signIn": signIn.map(\.rawValue), "hint": hint, "page": page,
      "settings": JSON.list(settings) { ["name": $0.name, "meaning": $0.meaning, "isSecret": $0.isSecret] },
      "capabilities": capabilities.map(\.rawValue),
    ]
  }
}
