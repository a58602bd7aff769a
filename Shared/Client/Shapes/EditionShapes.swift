public import Model

// The shapes of editions: the release of an album, its discs, and what tells it apart from others of its name.

extension Album {
  /// The facts that tell the album apart from others of its name: the date of an edition of another year than the
  /// original, the edition, and the quality and the folder of one whose artist, title and year another album has too.
  public var distinctions: [String] {
    let isLater = date.map { $0.year != year } ?? false
    return [isLater ? date?.description : nil, edition, folder == nil ? nil : quality, folder].compactMap(\.self)
  }

  /// The date of the original release and that of this edition, as a person reads them; nil if neither is known.
  public var dates: String? {
    guard let originalDate, let date else { return (originalDate ?? date)?.description ?? year.map(String.init) }
    return "\(originalDate) · this edition \(date)"
  }
}

extension AlbumDisc {
  /// The numbers of the missing tracks as a person reads them, such as `4, 7–9`.
  public var missingRanges: String {
    var ranges: [ClosedRange<Int>] = []
    for number in missing {
      if let last = ranges.last, last.upperBound + 1 == number {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)" }
      .joined(separator: ", ")
  }
}
