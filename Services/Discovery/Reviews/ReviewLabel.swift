import Text

/// The labels of reviews: eight tiers, from essential to skippable, with three
/// labels each.
enum ReviewLabel {
  static let tiers: [[String]] = [
    ["Cornerstone", "Turning Point", "Part of the Canon"],
    ["Quiet Masterwork", "Best of Its Kind", "Treasured by Few"],
    ["Loved by Many", "Everybody's Record", "Beyond Its Genre"],
    ["Late Discovery", "Better Than Its Name", "Worth the Search"],
    ["Document of Its Time", "Seed of Later Things", "Odd Forerunner"],
    ["Dependable", "For the Devoted", "Solid Craft"],
    ["Reached Too Far", "Matter of Taste", "Half Convincing"],
    ["Minor Work", "Low Point", "Better Left"],
  ]

  /// Returns the label in its own spelling, and its tier from 1; nil for a text that is no label.
  static func find(_ text: String) -> (label: String, tier: Int)? {
    let folded = plain(text)
    for (index, labels) in tiers.enumerated() {
      if let label = labels.first(where: { plain($0) == folded }) { return (label, index + 1) }
    }
    return nil
  }

  /// Models write the apostrophe in two ways.
  private static func plain(_ text: String) -> String { text.replacing("’", with: "'").trimmed.folded }
}
