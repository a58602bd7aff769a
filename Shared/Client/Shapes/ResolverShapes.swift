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
      "links": links ?? [],
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
      "inheritable": inheritable ?? [],
    ]
  }
}

extension Resolver.PluginSetting: JSONRepresentable {
  public var json: JSON {
    [
      "name": name, "label": label, "description": summary, "value": value, "proposal": proposal, "set": isSet,
      "secret": isSecret,
      "required": isRequired, "readOnly": isReadOnly, "placeholder": placeholder,
      "options": choices,
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

extension Resolver.SourceList {
  /// Returns the shape of `resolve`: the track, and its sources by their ranks.
  public func json(of described: DescribedTrack) -> JSON {
    [
      "artist": described.artist, "title": described.title, "album": described.album.orNull, "sources": sources,
      "failures": failures,
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

extension Resolver.PluginName: JSONRepresentable {
  public var json: JSON { ["plugin": id, "name": name] }
}

extension DescribedTrack: JSONRepresentable {
  /// The shape of a track by its description, as a request to play takes it.
  public var json: JSON {
    [
      "id": track.id, "title": title, "artist": artist, "album": album, "durationSeconds": duration, "isrc": isrc,
      "recordingID": recordingID, "location": location, "cover": cover, "art": art, "choice": choice,
    ]
  }
}

extension Resolver.ChoiceList: JSONRepresentable {
  public var json: JSON {
    ["settings": settings, "options": choices]
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
