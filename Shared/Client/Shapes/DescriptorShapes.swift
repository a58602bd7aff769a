public import Messages

// The kinds of sources and of scrobble services, described so that a front offers them without knowing any by name.

extension Library.SourceList: JSONRepresentable {
  /// The sources, and the kinds of sources that can be added; no kinds from a library of an older version.
  public var json: JSON { .object(["items": .list(sources), "kinds": .list(kinds ?? [])]) }
}

extension Library.SourceKind: JSONRepresentable {
  /// A kind of source: how one signs in, the usual way first, and the settings to ask for.
  public var json: JSON {
    .object([
      "kind": .text(kind), "title": .text(title), "hint": .text(hint),
      "signIn": .list(signIn) { .string($0.rawValue) }, "settings": .list(settings),
      "capabilities": .list(capabilities) { .string($0.rawValue) },
    ])
  }
}

extension Library.SourceSetting: JSONRepresentable {
  /// A setting of a source, as a person is asked for it.
  public var json: JSON {
    .object([
      "key": .text(key), "title": .text(title), "meaning": .text(meaning), "name": .text(name),
      "isSecret": .bool(isSecret), "isSwitch": .bool(isSwitch), "isRequired": .bool(isRequired),
    ])
  }
}

extension Scrobble.ServiceDescriptor: JSONRepresentable {
  /// A kind of scrobble service: how one signs in, the usual way first, and what that needs.
  public var json: JSON {
    .object([
      "kind": .text(kind), "title": .text(title), "address": .text(address),
      "signIn": .list(signIn) { .string($0.rawValue) }, "hint": .text(hint), "page": .text(page),
      "settings": .list(settings) {
        .object(["name": .text($0.name), "meaning": .text($0.meaning), "isSecret": .bool($0.isSecret)])
      },
      "capabilities": .list(capabilities) { .string($0.rawValue) },
    ])
  }
}
