public import Messages
import Model

extension RemoteStep {
  /// Returns the request that makes this step.
  public func change(_ list: String, in run: String) -> Providers.Change {
    switch self {
    case .removeEntries(let places): .init(run: run, .removeEntries, list: list, natives: places)
    case .removeAt(let index, let expected): .init(run: run, .removeAt, list: list, expected: expected, position: index)
    case .removeTracks(let natives): .init(run: run, .removeTracks, list: list, natives: natives)
    case .insert(let natives, let index): .init(run: run, .insert, list: list, natives: natives, position: index)
    case .move(let from, let to, let native, let place):
      .init(run: run, .move, list: list, natives: [native], position: from, target: to, place: place)
    case .replace(let natives, let expected):
      .init(run: run, .replace, list: list, natives: natives, expected: expected)
    }
  }

  /// Reads the step of a request; nil for another change, and if something is missing.
  public init?(_ change: Providers.Change) {
    switch (change.edit, change.natives, change.expected, change.position) {
    case (.removeEntries, let places?, _, _): self = .removeEntries(places)
    case (.removeAt, _, let expected?, let index?): self = .removeAt(index, expecting: expected)
    case (.removeTracks, let natives?, _, _): self = .removeTracks(natives)
    case (.insert, let natives?, _, let index): self = .insert(natives, at: index)
    case (.move, let natives?, _, let from?):
      guard let to = change.target, let native = natives.first else { return nil }
      self = .move(from: from, to: to, native: native, place: change.place)
    case (.replace, let natives?, let expected?, _): self = .replace(natives, expecting: expected)
    default: return nil
    }
  }
}
