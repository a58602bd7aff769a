import Messages
import Model

extension Golden {
  private static let pacing = ProviderPacing(linkedAt: Samples.moment)
  private static let pacingText = #"""
    {"failures":0,"isRefreshed":false,"needsSignIn":false,"nextRun":"MOMENT","throttleHolds":0,"throttles":0,"trips":0}
    """#.replacing("MOMENT", with: "\(Samples.moment)")
  private static let track = DescribedTrack(title: "t", artist: "a")
  private static let trackText = #"{"artist":"a","title":"t"}"#
  private static let item = SyncItem(artist: "a", album: "b", isrc: "i", musicBrainzID: "m")
  private static let itemText = #"{"album":"b","artist":"a","isrc":"i","musicBrainzID":"m","title":""}"#

  static let providerCalls =
    [
      Golden(
        Providers.SignIn(request: .init(type: "spotify", clientID: "c")),
        #"{"request":{"clientID":"c","type":"spotify"}}"#),
      Golden(
        to: Providers.SignIn.self, .init(open: "https://x", account: "ann", ticket: "t"),
        #"{"account":"ann","open":"https://x","ticket":"t"}"#),
      Golden(Providers.KeepSignIn(ticket: "t", name: "spotify"), #"{"name":"spotify","ticket":"t"}"#),
      Golden(to: Providers.KeepSignIn.self, Done(), "{}"),
      Golden(Providers.Forget(name: "spotify"), #"{"name":"spotify"}"#),
      Golden(to: Providers.Forget.self, Done(), "{}"),
      Golden(
        Providers.Connect(name: "n", type: "spotify", address: "https://x", account: "ann", pacing: pacing),
        #"{"account":"ann","address":"https://x","name":"n","pacing":\#(pacingText),"type":"spotify"}"#),
      Golden(to: Providers.Connect.self, .init(run: "r"), #"{"run":"r"}"#),
      Golden(
        Providers.Read(
          run: "r", .item, list: "l", part: .albums, reading: 2, page: 1, track: track, item: item),
        #"""
        {"item":\#(itemText),"list":"l","page":1,"part":"albums","question":"item","reading":2,"run":"r","track":\#(trackText)}
        """#),
      Golden(
        to: Providers.Read.self,
        .init(
          lists: [
            RemoteList(info: RemoteListInfo(native: "l", title: "t", summary: "s", isEditable: false), snapshot: "v")
          ], entries: [RemoteEntry(place: "p", native: "n", described: track, isFixed: true)],
          items: [RemoteItem(native: "n", item: item, addedAt: Samples.moment)], reading: 2, pages: 3, total: 4,
          snapshot: "v", native: "n", capabilities: .readOnly, pacing: pacing),
        #"""
        {"capabilities":{"batch":100,"canReorder":false,"canReplace":false,"insertion":"never","removal":"never"},
        "entries":[{"described":\#(trackText),"isFixed":true,"native":"n","place":"p"}],
        "items":[{"addedAt":"MOMENT","item":\#(itemText),"native":"n"}],
        "lists":[{"info":{"isEditable":false,"native":"l","summary":"s","title":"t"},"snapshot":"v"}],
        "native":"n","pacing":\#(pacingText),"pages":3,"reading":2,"snapshot":"v","total":4}
        """#.replacing("MOMENT", with: "\(Samples.moment)")),
      Golden(
        Providers.Change(
          run: "r", .move, list: "l", title: "t", summary: "s", part: .artists, natives: ["n"], expected: ["e"],
          position: 4, target: 5, place: "p", held: 6),
        #"""
        {"edit":"move","expected":["e"],"held":6,"list":"l","natives":["n"],"part":"artists","place":"p","position":4,
        "run":"r","summary":"s","target":5,"title":"t"}
        """#),
      Golden(to: Providers.Change.self, .init(native: "n"), #"{"native":"n"}"#),
      Golden(
        Providers.HideReleaseGroup(releaseGroup: "f32fab67-77dd-3937-addc-9062e28e4c37"),
        #"{"releaseGroup":"f32fab67-77dd-3937-addc-9062e28e4c37"}"#),
      Golden(to: Providers.HideReleaseGroup.self, Done(), "{}"),
    ]
    + Providers.Question.allCases.filter { $0 != .unknown }.map {
      Golden(Providers.Read(run: "r", $0), #"{"question":"\#($0.rawValue)","run":"r"}"#)
    }
    + Providers.Edit.allCases.filter { $0 != .unknown }.map {
      Golden(Providers.Change(run: "r", $0), #"{"edit":"\#($0.rawValue)","run":"r"}"#)
    }
}
