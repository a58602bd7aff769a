public import Messages
import Model

// The shapes of reviews by a language model, with the names of the messages' fields.

extension Discovery.ReviewStatus: JSONRepresentable {
  /// The shape of the review of an album, and of what is known of its making.
  public var json: JSON {
    ["album": album, "review": review, "isBeingMade": isBeingMade, "problem": problem, "isOn": isOn]
  }
}

extension Discovery.Review: JSONRepresentable {
  public var json: JSON {
    [
      "summary": summary, "points": points, "tenths": tenths, "label": label, "tier": tier, "keyTracks": keyTracks,
      "model": model, "writtenAt": writtenAt,
    ]
  }
}

extension Discovery.ReviewSettings: JSONRepresentable {
  /// The shape of how reviews are written; it never has the key.
  public var json: JSON {
    [
      "endpoint": endpoint, "model": model, "hasKey": hasKey, "dailyCap": dailyCap, "today": today, "kept": kept,
      "sends": sends,
    ]
  }
}
