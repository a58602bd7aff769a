/// The ids by which services name recordings.
public enum RecordingCodes {
  /// Returns a MusicBrainz id, a UUID in small letters; nil for other text.
  public static func recordingID(_ text: String) -> String? {
    let text = text.lowercased()
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.count) == [8, 4, 4, 4, 12],
      parts.allSatisfy({ $0.utf8.allSatisfy { Hexadecimal.digit($0) != nil } })
    else { return nil }
    return text
  }

  /// Returns an ISRC, twelve letters and digits, without the hyphens between its parts; nil for other text.
  public static func isrc(_ text: String) -> String? {
    let code = text.filter { $0 != "-" && $0 != " " }.uppercased()
    let isCode = code.utf8.count == 12 && code.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return isCode ? code : nil
  }
}
