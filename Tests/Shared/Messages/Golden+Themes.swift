import Messages
import Model

extension Golden {
  private static let themeText =
    #"""
    {"albumCount":2,"art":"files:c1","id":3,"look":{"first":"#1f5f8b","second":"#e8f0f2","texture":"paper"},
    "revision":4,"rules":"{}","text":"The summer.","title":"Boat"}
    """#

  static let themes = [
    Golden(Library.ListThemes(), "{}"),
    Golden(
      to: Library.ListThemes.self, Library.ThemeList(items: [Samples.theme]), #"{"items":["# + themeText + "]}"),
    Golden(Library.ReadTheme(id: 3, after: "c"), #"{"after":"c","id":3}"#),
    Golden(
      to: Library.ReadTheme.self,
      Library.ThemePage(theme: Samples.theme, albums: [Samples.bareAlbum], missing: ["Ada – Gone"], next: "c"),
      #"""
      {"albums":[{"addedAt":"2026-11-20T14:30:00.123456Z","artist":"","duration":0,"genres":[],"id":"plex:7","title":"",
      "trackCount":0}],"missing":["Ada – Gone"],"next":"c","theme":
      """# + themeText + "}"),
    Golden(
      Library.SaveTheme(
        id: 3, title: "Boat", text: "", rules: "{}", look: Samples.theme.look, cover: Samples.album.id,
        adding: [Samples.album.id], removing: [Samples.bareAlbum.id], revision: 4),
      #"""
      {"adding":["files:a1"],"cover":"files:a1","id":3,"look":{"first":"#1f5f8b","second":"#e8f0f2","texture":"paper"},
      "removing":["plex:7"],"revision":4,"rules":"{}","text":"","title":"Boat"}
      """#),
    Golden(Library.SaveTheme(title: "Boat"), #"{"title":"Boat"}"#),
    Golden(to: Library.SaveTheme.self, Samples.theme, themeText),
    Golden(Library.DeleteTheme(id: 3), #"{"id":3}"#),
    Golden(Library.DeleteTheme(id: 3, isTakenBack: true), #"{"id":3,"isTakenBack":true}"#),
    Golden(to: Library.DeleteTheme.self, Done(), "{}"),
    Golden(Library.ThemeChanged(id: 3, title: "Boat"), #"{"id":3,"title":"Boat"}"#),
    Golden(
      Library.ThemeChanged(id: 3, title: "Boat", isDeleted: true), #"{"id":3,"isDeleted":true,"title":"Boat"}"#),
  ]
}

extension Samples {
  static let theme = Library.Theme(
    id: 3, title: "Boat", text: "The summer.", rules: "{}",
    look: .init(first: "#1f5f8b", second: "#e8f0f2", texture: .paper), art: ArtID(source: "files", native: "c1"),
    albumCount: 2, revision: 4)
}
