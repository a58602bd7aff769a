public import Model

/// The changes of one run with a provider, for people.
public struct SyncReport: Codable, Hashable, Sendable {
  /// The changes of one list or of one kind of items.
  public struct Part: Codable, Hashable, Sendable {
    /// The title of the list, or the kind of items.
    public var title: String
    /// The number of entries that were added here.
    public var addedHere = 0
    /// The number of entries that were removed here.
    public var removedHere = 0
    /// The number of entries that were moved here.
    public var movedHere = 0
    /// The number of entries that the provider was asked to add.
    public var addedThere = 0
    /// The number of entries that the provider was asked to remove.
    public var removedThere = 0
    /// The number of entries that the provider was asked to move.
    public var movedThere = 0
    /// The number of entries that a second reading decides about.
    public var waiting = 0
    /// The number of lists that the provider has made.
    public var madeThere = 0
    /// The number of lists that the provider no longer has, and that stay here alone.
    public var detached = 0
    /// True if the list got the provider's title or description.
    public var isRenamedHere = false
    /// The number of entries that the provider cannot have.
    public var unplaced = 0
    /// Further sentences for people.
    public var notes: [String] = []
    /// The removals that a person is asked about; nil if there are none.
    public var question: RemovalQuestion?
    /// The error that ended this part; nil if it was finished.
    public var error: LunaraError?

    public init(title: String) { self.title = title }

    /// True if there is nothing to report.
    public var isQuiet: Bool { self == Part(title: title) }
  }

  /// The provider's name.
  public var provider: String
  /// The start of the run.
  public var startedAt: Timestamp
  /// The parts, in the order in which they were compared.
  public var parts: [Part] = []

  public init(provider: String, startedAt: Timestamp) {
    self.provider = provider
    self.startedAt = startedAt
  }
}

extension SyncReport.Part {
  /// Creates the part of a list from the plan of a run.
  public init(title: String, _ plan: ListPlan) {
    self.init(title: title)
    for edit in plan.localEdits {
      switch edit {
      case .insert(let tracks, _): addedHere += tracks.count
      case .remove(let ids): removedHere += ids.count
      case .move(let ids, _): movedHere += ids.count
      }
    }
    addedThere = plan.addedThere
    removedThere = plan.removedThere
    for case .move in plan.remoteSteps { movedThere += 1 }
    waiting = plan.waiting
    unplaced = plan.unplaced.count
    question = plan.question
  }

  /// Creates the part of a kind of items from the plan of a run.
  public init(title: String, _ plan: ItemPlan) {
    self.init(title: title)
    addedHere = plan.addedLocally.count
    removedHere = plan.removedLocally.count
    addedThere = plan.additions.count
    removedThere = plan.removals.count
    waiting = plan.waiting
    question = plan.question
  }

  /// Returns sentences that say what happened and what a person may do; empty if nothing happened.
  ///
  /// - Parameter provider: the provider's name.
  public func sentences(about provider: String) -> [String] {
    var sentences: [String] = []
    let here = Self.joined([(addedHere, "added"), (removedHere, "removed"), (movedHere, "moved")])
    if let here { sentences.append("\(here) here.") }
    if isRenamedHere { sentences.append("It has the title and the description of \(provider) now.") }
    if madeThere > 0 { sentences.append("\(provider) has it now, too.") }
    if detached > 0 {
      sentences.append(
        "\(provider) no longer has \(detached == 1 ? "one playlist" : "\(detached) playlists"), which stay here.")
    }
    let there = Self.joined([(addedThere, "added"), (removedThere, "removed"), (movedThere, "moved")])
    if let there { sentences.append("\(there) at \(provider).") }
    sentences += notes
    if waiting > 0 {
      sentences.append("To be decided by the next reading of \(provider): \(waiting).")
    }
    if unplaced > 0 { sentences.append("Only here, since \(provider) does not have them: \(unplaced).") }
    if let question {
      sentences.append(
        "\(provider) no longer has \(question.removed.count) of \(question.total). Nothing is removed here until you say "
          + "if they are to be removed or kept.")
    }
    if let error { sentences.append(error.message) }
    return sentences
  }

  private static func joined(_ counts: [(Int, String)]) -> String? {
    let words = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }
}
