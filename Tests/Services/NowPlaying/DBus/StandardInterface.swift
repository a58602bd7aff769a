/// What the MPRIS standard (version 2.2) demands of the two interfaces, as lines of introspection XML.
enum StandardInterface {
  static let lines =
    ["<interface name=\"org.mpris.MediaPlayer2\">", "<interface name=\"org.mpris.MediaPlayer2.Player\">"]
    + ["Raise", "Quit", "Next", "Previous", "Pause", "PlayPause", "Stop", "Play"].map { "<method name=\"\($0)\">" }
    + ["Seek", "SetPosition", "OpenUri"].map { "<method name=\"\($0)\">" }
    + [("x", "Offset"), ("o", "TrackId"), ("x", "Position"), ("s", "Uri")].map {
      "<arg type=\"\($0)\" name=\"\($1)\" direction=\"in\"/>"
    }
    + ["<signal name=\"Seeked\">", "<arg type=\"x\" name=\"Position\"/>"]
    + [("CanQuit", "b"), ("CanRaise", "b"), ("HasTrackList", "b"), ("Identity", "s"), ("PlaybackStatus", "s")].map(read)
    + [("SupportedUriSchemes", "as"), ("SupportedMimeTypes", "as"), ("Metadata", "a{sv}"), ("Position", "x")].map(read)
    + [("MinimumRate", "d"), ("MaximumRate", "d")].map(read)
    + ["CanGoNext", "CanGoPrevious", "CanPlay", "CanPause", "CanSeek", "CanControl"].map { read($0, "b") }
    + ["Rate", "Volume"].map { "<property name=\"\($0)\" type=\"d\" access=\"readwrite\">" }

  private static func read(_ name: String, _ type: String) -> String {
    "<property name=\"\(name)\" type=\"\(type)\" access=\"read\">"
  }
}
