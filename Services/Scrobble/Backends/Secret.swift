/// A token, key or password that no print, dump or error ever shows.
struct Secret: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The secret itself.
  let text: String

  init(_ text: String) { self.text = text }

  var description: String { "a secret" }
  var customMirror: Mirror { Mirror(self, children: []) }
}
