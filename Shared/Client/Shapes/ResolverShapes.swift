public import Messages
public import Model

// The shapes of plugins, of what they find and open, of their devices, and of conversations with them.

extension Resolver.Plugin: JSONRepresentable {
  public var json: JSON {
    [
      "id": id, "name": name, "version": version, "enabled": isEnabled, "order": place, "hosts": hosts,
      "capabilities": capabilities, "lastError": lastError, "failedAt": failedAt, "author": author,
      "description": summary, "icon": icon, "color": color, "homepage": homepage, "findsMusic": isResolver,
      "sha256": digest, "functions": functions, "settings": settings, "account": account,
      "consent": consent, "origin": origin, "newVersion": newVersion, "formerVersion": formerVersion,
      "links": JSON.list(links ?? []),
      "servers": JSON.list(servers ?? []) {
        ["setting": $0.setting, "address": $0.address, "allowed": $0.isAllowed, "proposed": $0.isProposed]
      },
    ]
  }
}

extension Resolver.NeededConsent: JSONRepresentable {
  public var json: JSON {
    [
      "new": isNew, "update": isUpdate, "formerVersion": formerVersion, "newHosts": newHosts,
      "newCapabilities": newCapabilities,
      "inheritable": JSON.list(inheritable ?? []) { ["key": $0.key, "title": $0.title] },
    ]
  }
}

extension Resolver.PluginSetting: JSONRepresentable {
  public var json: JSON {
    [
      "name": name, "label": label, "description": summary, "value": value, "proposal": proposal, "set": isSet,
      "secret": isSecret,
      "required": isRequired, "readOnly": isReadOnly, "placeholder": placeholder,
      "options": JSON.list(choices) { ["value": $0.value, "label": $0.label] },
    ]
  }
}

extension Resolver.UpdateList: JSONRepresentable {
  /// The newer versions, and the plugins that have none.
  public var json: JSON {
    let names = { (plugins: [Resolver.PluginName]) in JSON.list(plugins) { ["plugin": $0.id, "name": $0.name] } }
    return [
      "updates": updates, "current": names(current), "withoutOrigin": names(withoutOrigin), "failures": failures,
    ]
  }
}

extension ChosenSource: JSONRepresentable {
  /// The source that a person chose.
  public var json: JSON { ["plugin": plugin, "preview": wantsPreview ? JSON.bool(true) : .absent] }
}

extension Resolver.PluginTest: JSONRepresentable {
  public var json: JSON { ["works": works, "message": message, "seconds": elapsed, "log": log] }
}

extension Resolver.Source: JSONRepresentable {
  /// The shape of a source in `resolve`.
  public var json: JSON {
    [
      "plugin": plugin.id, "name": plugin.name, "color": color, "kind": kind.rawValue, "confidence": confidence,
      "rank": rank.orNull, "chosen": rank == 1, "reason": reason, "title": title, "artist": artist, "album": album,
      "durationSeconds": duration, "cover": cover, "url": url, "sourceID": sourceID, "preview": hasPreview,
    ]
  }
}

extension Resolver.PluginFailure: JSONRepresentable {
  public var json: JSON { ["plugin": plugin.id, "name": plugin.name, "error": error] }
}

extension Resolver.SourceList {
  /// Returns the shape of `resolve`: the track, and its sources by their ranks.
  public func json(of described: DescribedTrack) -> JSON {
    [
      "artist": described.artist, "title": described.title, "album": described.album.orNull, "sources": sources,
      "failures": failures,
    ]
  }
}

extension Resolver.SearchHits: JSONRepresentable {
  /// The hits of a plugin, each a described track.
  public var json: JSON { ["plugin": plugin.id, "name": plugin.name, "tracks": JSON.list(tracks, \.shape)] }
}

extension Resolver.OpenedAddress: JSONRepresentable {
  public var json: JSON {
    [
      "plugin": plugin.id, "name": plugin.name, "kind": kind.rawValue, "title": title, "artist": artist,
      "tracks": JSON.list(tracks, \.shape),
    ]
  }
}

extension Resolver.PluginState: JSONRepresentable {
  /// The plugins in short, by which a page knows what it can offer.
  public var json: JSON {
    ["enabled": enabled, "revision": "\(revision)", "music": music ?? 0, "concerts": concerts ?? 0, "problem": problem]
  }
}

extension Resolver.ShownTrack: JSONRepresentable {
  /// A shown track with the plugins that found it.
  public var json: JSON { ["id": id, "state": state.rawValue, "sources": badges] }
}

extension Resolver.Badge: JSONRepresentable {
  /// A plugin that has found a shown track.
  public var json: JSON {
    [
      "plugin": plugin.id, "name": plugin.name, "color": color, "confidence": confidence, "available": isAvailable,
    ]
  }
}

extension Resolver.Concert: JSONRepresentable {
  public var json: JSON {
    [
      "artist": artist, "title": title, "date": date, "time": time, "venue": venue, "city": city, "region": region,
      "country": country, "latitude": latitude, "longitude": longitude, "lineup": lineup,
      "tickets": JSON.list(tickets) { ["plugin": $0.plugin.id, "name": $0.plugin.name, "url": $0.url] }, "url": url,
    ]
  }
}

extension DescribedTrack {
  /// The shape of a track by its description, as a request to play takes it.
  public var shape: JSON {
    [
      "id": track.id, "title": title, "artist": artist, "album": album, "durationSeconds": duration, "isrc": isrc,
      "recordingID": recordingID, "location": location, "cover": cover, "art": art, "choice": choice,
    ]
  }
}

extension Resolver.DeviceList: JSONRepresentable {
  public var json: JSON { ["devices": devices, "chosen": chosen.orNull] }
}

extension Resolver.DevicePlayback: JSONRepresentable {
  /// The device, the number of tracks that it plays, and those that were not found.
  public var json: JSON { ["device": device, "tracks": tracks, "missing": JSON.list(missing, \.shape)] }
}

extension Resolver.Sharing: JSONRepresentable {
  public var json: JSON {
    [
      "plugin": plugin.id, "name": plugin.name, "takesPlays": takesPlays, "hearsPlays": hearsPlays,
      "takesHistory": takesHistory, "seesHistory": seesHistory, "waiting": waiting, "told": told, "problem": problem,
    ]
  }
}

extension Resolver.ChoiceList: JSONRepresentable {
  public var json: JSON {
    [
      "settings": JSON.list(settings) { JSON.string($0) },
      "options": JSON.list(choices) { ["value": $0.value, "label": $0.label] },
    ]
  }
}

extension Resolver.ChatMessage: JSONRepresentable {
  public var json: JSON { ["role": role.rawValue, "text": text, "tool": tool, "failed": isFailed] }
}

extension Resolver.ChatState: JSONRepresentable {
  /// The shape of a conversation in `ask`.
  public var json: JSON {
    [
      "conversation": conversation, "plugin": plugin.id, "name": plugin.name, "busy": isBusy, "first": first,
      "messages": messages, "count": count, "question": question, "error": error,
    ]
  }
}

extension Resolver.GeneratedQueue: JSONRepresentable {
  public var json: JSON {
    [
      "plugin": plugin.id, "name": plugin.name, "tracks": JSON.list(tracks, \.shape), "unwanted": unwanted,
    ]
  }
}
