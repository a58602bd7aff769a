import Model

/// Changing the key of a household whose machines are never all changed at one moment. Before a key seals anywhere it
/// opens everywhere, and it opens everywhere until it seals nowhere.
extension KeyFile {
  /// How far a rotation is.
  public enum Stage: String, Sendable {
    /// There is one key, or none of the others is new.
    case settled
    /// A new key opens but does not seal yet.
    case announced
    /// The new key seals; the former one still opens.
    case promoted
  }

  /// How far a rotation is, as the file tells by itself.
  public var stage: Stage {
    let others = entries.dropFirst()
    return others.contains { $0.mark == .next } ? .announced : others.isEmpty ? .settled : .promoted
  }

  /// The first step: adds a key that opens and does not seal.
  ///
  /// - Throws: `bus.keyRotation` in the middle of another rotation.
  public mutating func announce(_ key: HouseholdKey) throws {
    guard stage == .settled else { throw Self.misstep("A rotation is under way already", stage) }
    entries.append(Entry(key, .next))
  }

  /// The second step: the announced key seals from now on.
  ///
  /// - Throws: `bus.keyRotation` where none was announced.
  public mutating func promote() throws {
    guard stage == .announced, let index = entries.dropFirst().firstIndex(where: { $0.mark == .next }) else {
      throw Self.misstep("There is no new key to seal with", stage)
    }
    let key = entries.remove(at: index).key
    for index in entries.indices { entries[index].mark = .former }
    entries.insert(Entry(key), at: 0)
  }

  /// The third step: drops all keys but the one that seals.
  ///
  /// - Throws: `bus.keyRotation` where the new key does not seal yet, or there is nothing to drop.
  public mutating func finish() throws {
    guard stage == .promoted else { throw Self.misstep("There is no former key to drop", stage) }
    entries = [Entry(entries[0].key)]
  }

  private static func misstep(_ what: String, _ stage: Stage) -> LunaraError {
    let next =
      switch stage {
      case .settled: "`lunara key rotate` begins a rotation."
      case .announced: "`lunara key rotate --promote` comes next, once every machine has the new key."
      case .promoted: "`lunara key rotate --finish` comes next, once every machine seals with the new key."
      }
    return LunaraError("bus.keyRotation", "\(what). \(next)")
  }
}
