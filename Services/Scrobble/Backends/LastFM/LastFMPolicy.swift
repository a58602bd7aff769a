/// What follows from the errors of Last.fm's protocol (last.fm/api/errorcodes, last.fm/api/scrobbling).
enum LastFMPolicy {
  /// What a code means for what was sent.
  static func result(_ code: Int, _ words: String) -> SendResult {
    switch code {
    // The session: one has to sign in again.
    case 4, 9, 14, 15, 17: SendResult(.refused(.signedOut, words))
    // The key, its signature, or the key's suspension.
    case 10, 13, 26: SendResult(.refused(.refused, words))
    // “Please try again”; some servers answer 8 for one item for ever, which the plan finds out.
    case 8: SendResult(.failed(words, isAnswer: true))
    case 11, 16: SendResult(.failed(words, isAnswer: false))
    case 29: SendResult(.limited(words, wait: nil))
    // 2, 3, 5, 6, 7, 27 and whatever is not expected here: it would be the same another time.
    default: SendResult(.rejected(words))
    }
  }

  /// Why an item was ignored, where the service gives only the code.
  static func ignored(_ code: Int) -> String {
    switch code {
    case 1: "the artist was filtered"
    case 2: "the track was filtered"
    case 3: "the time is too long ago"
    case 4: "the time is in the future"
    default: "the service does not say why"
    }
  }
}
