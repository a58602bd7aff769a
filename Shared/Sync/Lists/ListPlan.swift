/// One edit of our list. Edits are applied in order.
public enum LocalEdit: Codable, Hashable, Sendable {
  /// The place behind which entries are put. An entry that is no longer there stands for the end.
  public enum Anchor: Codable, Hashable, Sendable {
    case start
    case entry(Int64)
    /// The entry with this number among all that the plan has inserted so far, from 0.
    case inserted(Int)
  }

  case remove([Int64])
  case insert([SyncTrack], after: Anchor)
  case move([Int64], after: Anchor)
}

/// One call to the provider. Steps are made in order; positions are those after the steps before.
public enum RemoteStep: Codable, Hashable, Sendable {
  /// Removes entries by their own ids.
  case removeEntries([String])
  /// Removes the entries from a position on. A provider that does not check it itself is read again before, and the
  /// step fails unless these tracks stand there.
  case removeAt(Int, expecting: [String])
  /// Removes all entries of these tracks.
  case removeTracks([String])
  /// Adds tracks at a position; nil for the end.
  case insert([String], at: Int?)
  /// Moves the entry at a position to another one, which is counted without the entry. The step fails unless this track
  /// stands there. `place` is the provider's id of the entry; nil for one that an earlier step has added.
  case move(from: Int, to: Int, native: String, place: String?)
  /// Replaces all entries. The step fails unless the list still holds what was read.
  case replace([String], expecting: [String])
}

/// The outcome of comparing both sides of a list.
///
/// The caller applies `localEdits` and stores `pendingState` in one transaction, in which it has also read our list.
/// Then it makes `remoteSteps`, and stores `confirmedState` if all of them succeeded. After a failure nothing is
/// stored: the next run finds out what the provider has done.
public struct ListPlan: Sendable {
  /// The edits of our list.
  public internal(set) var localEdits: [LocalEdit] = []
  /// The calls to the provider.
  public internal(set) var remoteSteps: [RemoteStep] = []
  /// Our entries that the provider cannot have, since it has no id for their tracks.
  public internal(set) var unplaced: [Int64] = []
  /// The number of entries that the provider no longer has and that are removed if the next reading agrees.
  public internal(set) var waiting = 0
  /// The number of entries that the provider is asked to add.
  public internal(set) var addedThere = 0
  /// The number of entries that the provider is asked to remove.
  public internal(set) var removedThere = 0
  var pending = ListState()
  var confirmed = ListState()

  /// The removals that a person is asked about; nil if there are none.
  public var question: RemovalQuestion? { pending.question }
  /// The number of entries that the edits insert, whose ids the caller gives to `pendingState`.
  public var insertedCount: Int {
    localEdits.reduce(0) { count, edit in
      if case .insert(let tracks, _) = edit { count + tracks.count } else { count }
    }
  }

  /// Returns the state to be stored with the edits of our list.
  ///
  /// - Parameter inserted: the ids of the inserted entries, in the order of the edits.
  public func pendingState(inserted: [Int64]) -> ListState { Self.naming(inserted, in: pending) }

  /// Returns the state to be stored after the provider confirmed all steps.
  ///
  /// - Parameters:
  ///   - inserted: the ids of the inserted entries, in the order of the edits.
  ///   - present: the state that is stored now, from which a person may have taken back removals meanwhile.
  public func confirmedState(inserted: [Int64], over present: ListState) -> ListState {
    var state = Self.naming(inserted, in: confirmed)
    state.removals = present.removals
    return state
  }

  /// The id that stands for an inserted entry until it has one.
  static func placeholder(_ number: Int) -> Int64 { -Int64(number) - 1 }

  private static func naming(_ inserted: [Int64], in state: ListState) -> ListState {
    var state = state
    for index in state.links.indices where state.links[index].entry < 0 {
      let number = Int(-state.links[index].entry - 1)
      if number < inserted.count { state.links[index].entry = inserted[number] }
    }
    state.links.removeAll { $0.entry < 0 }
    return state
  }
}
