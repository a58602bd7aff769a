import Messages
import Model

extension Golden {
  private static let list = PlaylistID(source: "lunara", native: "p4")
  private static let answer =
    #"{"duration":0,"id":"plex:p5","isSmart":false,"title":"","trackCount":0}"#
  private static let described = #"""
    {"album":"Away","artist":"Nobody","cover":"https://h/c.jpg","duration":61000,"isrc":"GBAYE0601498","location":"../a.mp3",
    "recordingID":"b1a9c0e9-d987-4042-ae91-78d6a3267d69","title":"Gone"}
    """#

  static let playlists = [
    Golden(
      to: Library.ReadPlaylist.self,
      Library.PlaylistPage(
        playlist: Samples.barePlaylist, tracks: [], entries: [Samples.playlistEntry, .init(entry: 10)], rules: "{}"),
      #"{"entries":[{"described":"# + described + #","entry":9},{"entry":10}],"playlist":"# + answer
        + #","rules":"{}","tracks":[]}"#),
    Golden(Library.PreviewRules(rules: "{}"), #"{"rules":"{}"}"#),
    Golden(
      to: Library.PreviewRules.self,
      Library.RulesPreview(trackCount: 2, duration: Milliseconds(61_000), tracks: []),
      #"{"duration":61000,"trackCount":2,"tracks":[]}"#),
    Golden(
      Library.CreatePlaylist(
        title: "Sunday", summary: "Slow", ids: [Samples.album.id.playable], described: [Samples.described],
        copyOf: list, source: "plex", rules: "{}"),
      #"{"copyOf":"lunara:p4","described":["# + described
        + #"],"ids":["\#(Samples.album.id)"],"rules":"{}","source":"plex","summary":"Slow","title":"Sunday"}"#),
    Golden(to: Library.CreatePlaylist.self, Samples.barePlaylist, answer),
    Golden(
      Library.AddToPlaylist(id: list, ids: [Samples.album.id.playable], described: [Samples.described], after: 9),
      #"{"after":9,"described":["# + described + #"],"id":"lunara:p4","ids":["\#(Samples.album.id)"]}"#),
    Golden(to: Library.AddToPlaylist.self, Samples.barePlaylist, answer),
    Golden(
      Library.RemoveFromPlaylist(id: list, entries: [9, 10]), #"{"entries":[9,10],"id":"lunara:p4"}"#),
    Golden(to: Library.RemoveFromPlaylist.self, Samples.barePlaylist, answer),
    Golden(
      Library.MoveInPlaylist(id: list, entries: [9], after: 0), #"{"after":0,"entries":[9],"id":"lunara:p4"}"#),
    Golden(to: Library.MoveInPlaylist.self, Samples.barePlaylist, answer),
    Golden(
      Library.DescribePlaylist(id: list, title: "Monday", summary: "", rules: "{}", revision: 3),
      #"{"id":"lunara:p4","revision":3,"rules":"{}","summary":"","title":"Monday"}"#),
    Golden(to: Library.DescribePlaylist.self, Samples.barePlaylist, answer),
    Golden(Library.DeletePlaylist(id: list), #"{"id":"lunara:p4"}"#),
    Golden(to: Library.DeletePlaylist.self, Done(), #"{}"#),
    Golden(Library.UndoPlaylist(id: list), #"{"id":"lunara:p4"}"#),
    Golden(to: Library.UndoPlaylist.self, Samples.barePlaylist, answer),
    Golden(
      Library.ImportToPlaylist(id: list, tracks: [Samples.described], folder: LocalPath("/m/lists")),
      #"{"folder":"file:///m/lists","id":"lunara:p4","tracks":["# + described + #"]}"#),
    Golden(
      to: Library.ImportToPlaylist.self,
      Library.ImportedTracks(
        playlist: Samples.barePlaylist, matches: [.file, .path, .recording, .isrc, .names, .missing]),
      #"{"matches":["file","path","recording","isrc","names","missing"],"playlist":"# + answer + #"}"#),
    Golden(
      Library.ReadListFile(address: "https://example.org/list.m3u"), #"{"address":"https://example.org/list.m3u"}"#),
    Golden(
      to: Library.ReadListFile.self,
      Library.ListFileContents(
        title: "Tides", summary: "Slow", tracks: [Samples.described], problems: ["Line 2 names another list."]),
      #"{"problems":["Line 2 names another list."],"summary":"Slow","title":"Tides","tracks":["# + described + #"]}"#),
    Golden(Library.ExportPlaylist(id: list, after: "x"), #"{"after":"x","id":"lunara:p4"}"#),
    Golden(
      to: Library.ExportPlaylist.self,
      Library.ExportedPlaylist(playlist: Samples.barePlaylist, tracks: [Samples.described], next: "y"),
      #"{"next":"y","playlist":"# + answer + #","tracks":["# + described + #"]}"#),
    Golden(
      Library.SetPlaylistCover(id: PlaylistID(source: "lunara", native: "p4"), part: "/9j/", offset: 3, size: 6),
      #"{"id":"lunara:p4","offset":3,"part":"/9j/","size":6}"#),
    Golden(to: Library.SetPlaylistCover.self, Samples.barePlaylist, answer),
  ]
}
