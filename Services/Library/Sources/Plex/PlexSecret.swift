import Synchronization

/// A token that can be changed while clients use it, and that no print, dump or error ever shows.
final class PlexSecret: Sendable, CustomStringConvertible, CustomReflectable {
  private let held: Mutex<String?>

  init(_ text: String?) { held = Mutex(text) }

  /// The token itself; nil where nobody is signed in.
  var text: String? {
    get { held.withLock { $0 } }
    set { held.withLock { $0 = newValue } }
  }

  var description: String { "a secret" }
  var customMirror: Mirror { Mirror(self, children: []) }
}
