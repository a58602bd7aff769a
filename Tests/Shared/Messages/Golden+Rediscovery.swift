import Messages
import Model

extension Golden {
  private static let drawn = Library.ExplainedAlbum(album: Samples.bareAlbum, reason: "Never heard.")
  private static let drawnText =
    #"""
    {"album":{"addedAt":"2026-11-20T14:30:00.123456Z","artist":"","duration":0,"genres":[],"id":"plex:7","title":"",
    "trackCount":0},"reason":"Never heard."}
    """#

  static let rediscovery = [
    Golden(Library.ReadRediscovery(day: "2026-11-26", limit: 6), #"{"day":"2026-11-26","limit":6}"#),
    Golden(Library.ReadRediscovery(), #"{"limit":12}"#),
    Golden(
      to: Library.ReadRediscovery.self,
      Library.RediscoveryDay(
        day: "2026-11-26",
        shelves: [.init(shelf: .onThisDay, title: "On this day", reason: "First heard.", items: [drawn])]),
      #"{"day":"2026-11-26","shelves":[{"items":["# + drawnText
        + #"],"reason":"First heard.","shelf":"on-this-day","title":"On this day"}]}"#),
    Golden(Library.DrawAlbum(), "{}"),
    Golden(to: Library.DrawAlbum.self, drawn, drawnText),
  ]
}
