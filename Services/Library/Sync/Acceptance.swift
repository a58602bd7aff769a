/// What a person allows a refresh to do that it would ask about.
struct AcceptedChanges: OptionSet, Hashable, Sendable {
  let rawValue: Int

  /// Much may be deleted.
  static let deletions = AcceptedChanges(rawValue: 1)
  /// Another server may have taken the place of the one that was there.
  static let otherServer = AcceptedChanges(rawValue: 2)
  /// Both: what is allowed for one source by its name.
  static let all: AcceptedChanges = [.deletions, .otherServer]
}
