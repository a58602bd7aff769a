public import Model

/// A list of ours that may be kept in step with a provider.
public struct LocalListInfo: Codable, Hashable, Sendable {  // memberwise
  /// Our id.
  public var id: String
  /// The title.
  public var title: String
  /// True if a person wants it at the provider.
  public var isSelected: Bool = true
  /// True if it was changed here since both sides were equal.
  public var isChanged: Bool = false
}

/// The changes to whole lists that follow from a reading of a provider's overview.
public struct ListDirectoryPlan: Hashable, Sendable {
  /// The provider's lists that are made here. The caller tells the directory their ids in the same transaction.
  public internal(set) var made: [RemoteListInfo] = []
  /// Our lists that the provider is to make, each with the mark for its description.
  public internal(set) var additions: [String: String] = [:]
  /// Our lists with the ids of lists of the same title, whose contents decide if one of them is the twin.
  public internal(set) var namesakes: [String: [String]] = [:]
  /// Our lists that are removed, since the provider no longer has them and they were not changed here.
  public internal(set) var removed: [String] = []
  /// Our lists that stay here alone.
  public internal(set) var detached: [String] = []
  /// The provider's lists that it is to delete: those that we made there and that a person deleted here.
  public internal(set) var deletions: [String] = []
  /// The number of lists that are removed or made if the next reading agrees.
  public internal(set) var waiting = 0
  /// The removals that a person is asked about; nil if there are none.
  public internal(set) var question: RemovalQuestion?

  /// Creates a plan without changes.
  public init() {}
}

/// The lists of ours that belong to lists of one provider. It is stored between two runs.
///
/// A list that the provider no longer has in two complete readings in a row is removed here if it came from there and
/// was not changed here; else it stays and belongs to us alone. A list that a person deleted here is deleted there only
/// if we made it there; another one is not made here again for 365 days after it was last seen.
public struct ListDirectory: Codable, Hashable, Sendable {
  /// A list that both sides have.
  struct Link: Codable, Hashable, Sendable {
    /// The provider's id; nil while it is not known that the provider has made the list.
    var native: String?
    /// True if we made the list there or a person made it here; false if it came from there.
    var isOurs: Bool
    /// The number of complete readings in a row without it.
    var missing = 0
  }

  /// The links by our ids.
  var links: [String: Link] = [:]
  /// A list that a person deleted here.
  struct Deleted: Codable, Hashable, Sendable {
    /// Our id, which the list has again if its deletion is taken back.
    var list: String
    var isOurs: Bool
    /// The time of the last sighting at the provider.
    var at: Timestamp
  }

  /// The lists that a person deleted here, by the provider's ids.
  var deleted: [String: Deleted] = [:]
  /// The question that waits for a person's answer; nil if there is none.
  public internal(set) var question: RemovalQuestion?

  /// Creates a directory without lists.
  public init() {}

  /// Returns the provider's id of a list of ours; nil if it has none yet.
  public func native(of list: String) -> String? { links[list]?.native }

  /// The lists of ours that came from the provider.
  public var received: [String] { links.filter { !$0.value.isOurs }.map(\.key) }

  /// Records that a list of the provider was made here.
  public mutating func recordMade(_ native: String, as list: String) {
    links[list] = Link(native: native, isOurs: false)
    deleted[native] = nil
  }

  /// Forgets which list of the provider a list of ours is. Both stay where they are.
  public mutating func forget(_ list: String) { links[list] = nil }

  /// Records that the provider made a list of ours, or that one of its lists has the same contents.
  public mutating func recordTwin(_ native: String, of list: String) {
    links[list] = Link(native: native, isOurs: true)
  }
}

/// Comparing.
extension ListDirectory {
  /// Compares our lists with a complete reading of the provider's overview.
  ///
  /// - Parameters:
  ///   - reading: all lists that the provider has.
  ///   - local: all lists that are here now.
  ///   - library: the id of our library, for marks.
  ///   - deselected: the provider's lists that a person does not want here.
  ///   - different: for each list of ours the lists of the same title whose contents are others.
  ///   - canMake: true if lists can be made at the provider.
  ///   - direction: the sides that may be changed.
  ///   - answer: the answer to the question; nil for none.
  ///   - now: the time of the comparison.
  public mutating func compare(
    _ reading: [RemoteListInfo], local: [LocalListInfo], library: String, deselected: Set<String> = [],
    different: [String: Set<String>] = [:], canMake: Bool = true, direction: SyncDirection = .both,
    answer: RemovalAnswer? = nil, at now: Timestamp
  ) -> ListDirectoryPlan {
    var plan = ListDirectoryPlan()
    let lists = Dictionary(local.map { ($0.id, $0) }) { first, _ in first }
    let present = Set(reading.map(\.native))
    for (native, former) in deleted where lists[former.list] != nil {
      // The deletion was taken back.
      if links[former.list] == nil { links[former.list] = Link(native: native, isOurs: former.isOurs) }
      deleted[native] = nil
    }
    followDeletions(lists, pushes: direction.pushes, present, &plan, at: now)
    findTwins(reading, local, library, different, isMaking: canMake && direction.pushes, &plan)
    withdraw(lists, present, deselected, answer, &plan, at: now)
    for native in deleted.keys where present.contains(native) { deleted[native]?.at = now }
    deleted = deleted.filter { now.microseconds - $0.value.at.microseconds <= ItemLedger.tombstoneMemory.microseconds }
    guard direction.pulls else { return plan }
    let linked = Set(links.values.compactMap(\.native))
    let undecided = Set(plan.namesakes.values.flatMap { $0 })
    var seen: Set<String> = []
    for list in reading where seen.insert(list.native).inserted && deleted[list.native] == nil {
      guard !linked.contains(list.native), !deselected.contains(list.native), !undecided.contains(list.native) else {
        continue
      }
      plan.made.append(list)
    }
    return plan
  }

  /// Notes the lists that a person deleted here.
  private mutating func followDeletions(
    _ lists: [String: LocalListInfo], pushes: Bool, _ present: Set<String>, _ plan: inout ListDirectoryPlan,
    at now: Timestamp
  ) {
    for (id, link) in links.sorted(by: { $0.key < $1.key }) where lists[id] == nil {
      guard let native = link.native else {
        links[id] = nil
        continue
      }
      deleted[native] = Deleted(list: id, isOurs: link.isOurs, at: now)
      // The link stays until a reading shows that the provider deleted the list.
      if link.isOurs, pushes, present.contains(native) { plan.deletions.append(native) } else { links[id] = nil }
    }
  }

  /// Looks for the twins of lists that have none, and has the others made.
  private mutating func findTwins(
    _ reading: [RemoteListInfo], _ local: [LocalListInfo], _ library: String, _ different: [String: Set<String>],
    isMaking: Bool, _ plan: inout ListDirectoryPlan
  ) {
    for list in local where list.isSelected && links[list.id]?.native == nil {
      let mark = ListTwin.mark(of: list.id, in: library)
      let linked = Set(links.values.compactMap(\.native)).union(different[list.id] ?? []).union(deleted.keys)
      switch ListTwin.find(title: list.title, mark: mark, stored: nil, among: reading, linked: linked) {
      case .twin(let native): recordTwin(native, of: list.id)
      case .namesakes(let natives): plan.namesakes[list.id] = natives
      case .none:
        guard isMaking else { continue }
        // After a call that was not confirmed a second reading has to be without the list.
        if var link = links[list.id], link.missing == 0 {
          link.missing = 1
          links[list.id] = link
          plan.waiting += 1
        } else {
          links[list.id] = Link(native: nil, isOurs: true)
          plan.additions[list.id] = mark
        }
      }
    }
  }

  /// Removes or detaches the lists that the provider no longer has, or that a person does not want any more.
  private mutating func withdraw(
    _ lists: [String: LocalListInfo], _ present: Set<String>, _ deselected: Set<String>, _ answer: RemovalAnswer?,
    _ plan: inout ListDirectoryPlan, at now: Timestamp
  ) {
    var gone: [String] = []
    for (id, link) in links.sorted(by: { $0.key < $1.key }) {
      guard let native = link.native, let list = lists[id] else { continue }
      if deselected.contains(native) {
        leave(list, link, &plan)
      } else if present.contains(native) {
        links[id]?.missing = 0
      } else {
        links[id]?.missing += 1
        if link.missing >= 1 { gone.append(id) } else { plan.waiting += 1 }
      }
    }
    let isAnswered = answer != nil && question?.covers(gone) == true
    guard isAnswered || !RemovalQuestion.isNeeded(gone.count, of: links.count) else {
      question = RemovalQuestion(removed: gone, total: links.count)
      plan.question = question
      return
    }
    question = nil
    for id in gone {
      guard let list = lists[id], var link = links[id] else { continue }
      if isAnswered, answer == .keep { link.isOurs = true }
      leave(list, link, &plan)
    }
  }

  private mutating func leave(_ list: LocalListInfo, _ link: Link, _ plan: inout ListDirectoryPlan) {
    links[list.id] = nil
    if link.isOurs || list.isChanged { plan.detached.append(list.id) } else { plan.removed.append(list.id) }
  }
}
