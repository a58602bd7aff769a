import Messages
import Model

extension Golden {
  private static let provider = Library.Provider(
    name: "spotify", kind: "spotify", title: "Spotify", account: "ann", health: "ready",
    parts: [.init(part: .liked, way: .both, ways: [.pull, .both])], lastRun: Samples.moment, nextRun: Samples.moment,
    added: 2, removed: 1, held: 6, problem: LunaraError("library.providerAway", "m"))
  private static let providerText = #"""
    {"account":"ann","added":2,"health":"ready","held":6,"isSource":false,"kind":"spotify","lastRun":"MOMENT",
    "name":"spotify","nextRun":"MOMENT","parts":[{"part":"liked","way":"both","ways":["pull","both"]}],
    "problem":{"code":"library.providerAway","message":"m"},"removed":1,"title":"Spotify"}
    """#.replacing("MOMENT", with: "\(Samples.moment)")
  private static let wish = Library.Wish(
    id: 3, artist: "Alice Coltrane", album: "Eternity", providers: ["spotify"], addedAt: Samples.moment,
    releaseGroup: "f32fab67-77dd-3937-addc-9062e28e4c37")
  private static let wishText = #"""
    {"addedAt":"MOMENT","album":"Eternity","artist":"Alice Coltrane","id":3,"providers":["spotify"],
    "releaseGroup":"f32fab67-77dd-3937-addc-9062e28e4c37"}
    """#.replacing("MOMENT", with: "\(Samples.moment)")

  static let providers = [
    Golden(Library.ListProviders(), #"{}"#),
    Golden(
      to: Library.ListProviders.self,
      .init(
        providers: [provider],
        kinds: [
          .init(
            kind: "spotify", title: "Spotify", signIn: .link, hint: "h", page: "p",
            parts: [.init(part: .albums, way: .off, ways: [.pull])])
        ]),
      #"""
      {"kinds":[{"hint":"h","kind":"spotify","page":"p","parts":[{"part":"albums","way":"off","ways":["pull"]}],
      "signIn":"link","title":"Spotify"}],"providers":[\#(providerText)]}
      """#),
    Golden(
      Library.LinkProvider(
        type: "spotify", token: "t", clientID: "c", redirect: "r", address: "a", name: "n",
        parts: [.init(part: .liked, way: .pull)]),
      #"""
      {"address":"a","clientID":"c","name":"n","parts":[{"part":"liked","way":"pull"}],"redirect":"r","token":"t","type":"spotify"}
      """#),
    Golden(
      to: Library.LinkProvider.self, .init(provider: provider, open: "https://x"),
      #"{"open":"https://x","provider":\#(providerText)}"#),
    Golden(
      Library.SetProvider(name: "spotify", parts: [.init(part: .playlists, way: .both)], leave: ["l"], take: ["t"]),
      #"{"leave":["l"],"name":"spotify","parts":[{"part":"playlists","way":"both"}],"take":["t"]}"#),
    Golden(to: Library.SetProvider.self, provider, providerText),
    Golden(Library.UnlinkProvider(name: "spotify"), #"{"name":"spotify"}"#),
    Golden(to: Library.UnlinkProvider.self, Done(), #"{}"#),
    Golden(Library.SyncProvider(name: "spotify"), #"{"name":"spotify"}"#),
    Golden(to: Library.SyncProvider.self, provider, providerText),
    Golden(Library.ReadProviderReports(name: "spotify", limit: 5), #"{"limit":5,"name":"spotify"}"#),
    Golden(
      to: Library.ReadProviderReports.self,
      .init(
        reports: [
          .init(
            startedAt: Samples.moment, added: 1, removed: 2, lines: [.init(title: "Evening", text: "1 added here.")],
            problem: LunaraError("library.providerAway", "m"))
        ], questions: [.init(id: "lunara:p4", title: "Evening", removed: 6, total: 7)],
        removals: [
          .init(id: "p4-1-2", at: Samples.moment, from: "Evening", title: "T", artist: "A", isHere: true)
        ], lists: [.init(id: PlaylistID(source: "lunara", native: "p4"), native: "x", title: "Evening", isKept: true)]),
      #"""
      {"lists":[{"id":"lunara:p4","isKept":true,"native":"x","title":"Evening"}],
      "questions":[{"id":"lunara:p4","removed":6,"title":"Evening","total":7}],
      "removals":[{"artist":"A","at":"MOMENT","from":"Evening","id":"p4-1-2","isHere":true,"title":"T"}],
      "reports":[{"added":1,"lines":[{"text":"1 added here.","title":"Evening"}],
      "problem":{"code":"library.providerAway","message":"m"},"removed":2,"startedAt":"MOMENT"}]}
      """#.replacing("MOMENT", with: "\(Samples.moment)")),
    Golden(
      Library.AnswerProvider(name: "spotify", question: "lunara:p4", removes: true),
      #"{"name":"spotify","question":"lunara:p4","removes":true}"#),
    Golden(to: Library.AnswerProvider.self, Done(), #"{}"#),
    Golden(Library.UndoRemoval(name: "spotify", removal: "p4-1-2"), #"{"name":"spotify","removal":"p4-1-2"}"#),
    Golden(to: Library.UndoRemoval.self, Done(), #"{}"#),
    Golden(Library.ListWishes(after: "9", limit: 20), #"{"after":"9","limit":20}"#),
    Golden(to: Library.ListWishes.self, .init(items: [wish], next: "3"), #"{"items":[\#(wishText)],"next":"3"}"#),
    Golden(
      Library.AddWish(artist: "Alice Coltrane", album: "Eternity"),
      #"{"album":"Eternity","artist":"Alice Coltrane"}"#),
    Golden(
      Library.AddWish(artist: "Ada", album: "Blue", releaseGroup: "g1"),
      #"{"album":"Blue","artist":"Ada","releaseGroup":"g1"}"#),
    Golden(to: Library.AddWish.self, wish, wishText),
    Golden(Library.RemoveWish(id: 3), #"{"id":3}"#),
    Golden(to: Library.RemoveWish.self, Done(), #"{}"#),
  ]
}
