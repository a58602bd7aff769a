/// What a person allows a refresh to do that it would ask about.
struct Acceptance: OptionSet, Hashable, Sendable {
  let rawValue: Int

  /// Much may be deleted.
  static let deletions = Acceptance(rawValue: 1)
  /// Another server may have taken the place of the one that was there.
  static let otherServer = Acceptance(rawValue: 2)
  /// Both: what is allowed for one source by its name.
  static let all: Acceptance = [.deletions, .otherServer]
}
