public import Model

/// Looks for the list at a provider that is the same as one of ours, before one is made there.
///
/// The answer to a call that makes a list may be lost. Its mark in the description tells in the next run that the list
/// was made, so that there are not two.
public enum ListTwin {
  /// The result of looking at a provider's overview.
  public enum Finding: Hashable, Sendable {
    /// This list is the twin.
    case twin(String)
    /// One of these has the same title; their contents decide, in this order.
    case namesakes([String])
    /// There is none.
    case none
  }

  /// Returns the mark that a description ends with. It holds the ids of our library and of our list.
  public static func mark(of list: String, in library: String) -> String { "[lunara:\(library):\(list)]" }

  /// Returns the description with the mark behind it.
  public static func marked(_ summary: String, _ mark: String) -> String {
    let text = withoutMarks(summary)
    return text.isEmpty ? mark : "\(text) \(mark)"
  }

  /// Returns a description as a person wrote it, without our marks.
  public static func withoutMarks(_ summary: String) -> String {
    var rest = Substring(summary)
    while let start = rest.lastRange(of: "[lunara:"), rest[start...].last == "]",
      !rest[start...].dropLast().contains("]")
    {
      rest = rest[..<start]
      while rest.last == " " { rest.removeLast() }
    }
    return String(rest)
  }

  /// Looks for the twin of a list by the stored id, the mark and the title, in this order.
  ///
  /// - Parameters:
  ///   - title: the title of our list.
  ///   - mark: the mark that our list has at the provider.
  ///   - stored: the id that we know; nil if the list was never there.
  ///   - lists: all lists that the provider has.
  ///   - linked: the ids of lists that belong to other lists of ours.
  public static func find(
    title: String, mark: String, stored: String?, among lists: [RemoteListInfo], linked: Set<String>
  ) -> Finding {
    let free = lists.filter { !linked.contains($0.native) }
    if let stored, free.contains(where: { $0.native == stored }) { return .twin(stored) }
    // Two lists have the mark only if an answer was lost twice or a person copied the list; the first one is older.
    if let marked = free.first(where: { $0.summary.hasSuffix(mark) }) { return .twin(marked.native) }
    let name = NormalForm.of(title)
    let namesakes = free.filter { $0.isEditable && NormalForm.of($0.title) == name && !name.isEmpty }
    return namesakes.isEmpty ? .none : .namesakes(namesakes.map(\.native))
  }

  /// Returns true if a list with the same title is the same list: either of both is empty, or at least half of the
  /// entries of the shorter one are in the longer one.
  public static func isSame(_ local: [LocalEntry], _ remote: [RemoteEntry]) -> Bool {
    guard !local.isEmpty, !remote.isEmpty else { return true }
    let common = ListMatching(ListState(), local, remote).elements.count { $0.local != nil && $0.remote != nil }
    return common * 2 >= min(local.count, remote.count)
  }
}

extension Substring {
  /// Returns the start of the last occurrence of a text.
  fileprivate func lastRange(of text: String) -> Index? {
    indices.last { self[$0...].hasPrefix(text) }
  }
}
