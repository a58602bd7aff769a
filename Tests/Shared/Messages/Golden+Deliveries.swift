import Messages
import Model

extension Golden {
  private static let listen = ListenID(rawValue: "l1")
  private static let account = Scrobble.Account(
    service: "listenbrainz", account: "ann", address: "https://b", isOn: true, state: "waiting", pending: 3, failed: 0,
    waitsUntil: Samples.moment, isFromSettings: true)
  private static let accountText =
    #"{"account":"ann","address":"https://b","failed":0,"isFromSettings":true,"isOn":true,"pending":3,"#
    + #""service":"listenbrainz","state":"waiting","waitsUntil":"2026-11-20T14:30:00.123456Z"}"#

  /// The services to which scrobbles are sent.
  static let deliveries = [
    Golden(
      Scrobble.ListenCounted(subject: Samples.subject, heard: Milliseconds(94_000), withheld: "private"),
      #"""
      {"heard":94000,"subject":{"item":{"entry":"e2","origin":{"node":"cli@main"},"track":{"album":"",
      "albumArtist":"","albumID":"files:a1","artist":"","disc":1,"duration":0,"genres":[],"id":"files:t2",
      "title":"Two"}},"listen":"l1","room":"kitchen","startedAt":"2026-11-20T14:30:00.123456Z"},"withheld":"private"}
      """#),
    Golden(
      Scrobble.DeliverySent(service: "lastfm", account: "ann", listens: [listen]),
      #"{"account":"ann","listens":["l1"],"service":"lastfm"}"#),
    Golden(
      Scrobble.DeliveryFailed(
        service: "lastfm", account: "ann", listen: listen, title: "Two", artist: "Ada", reason: "filtered"),
      #"{"account":"ann","artist":"Ada","listen":"l1","reason":"filtered","service":"lastfm","title":"Two"}"#),
    Golden(
      Scrobble.AccountPaused(service: "lastfm", account: "ann", error: LunaraError("scrobble.refused", "m")),
      #"{"account":"ann","error":{"code":"scrobble.refused","message":"m"},"service":"lastfm"}"#),
    Golden(
      Scrobble.LoveFailed(
        .init(service: "listenbrainz", account: "ann", title: "Two", artist: "Ada", isLoved: true, reason: "unknown")),
      #"""
      {"love":{"account":"ann","artist":"Ada","isLoved":true,"reason":"unknown","service":"listenbrainz","title":"Two"}}
      """#),
    Golden(Scrobble.ListFailedLoves(limit: 20), #"{"limit":20}"#),
    Golden(
      to: Scrobble.ListFailedLoves.self,
      Scrobble.FailedLoves(
        count: 3,
        items: [
          .init(service: "lastfm", account: "ann", title: "Two", artist: "Ada", isLoved: false, reason: "filtered")
        ]),
      #"""
      {"count":3,"items":[{"account":"ann","artist":"Ada","isLoved":false,"reason":"filtered","service":"lastfm",
      "title":"Two"}]}
      """#),
    Golden(Scrobble.RetryDeliveries(), "{}"),
    Golden(Scrobble.RetryDeliveries(listen: listen), #"{"listen":"l1"}"#),
    Golden(to: Scrobble.RetryDeliveries.self, Scrobble.DeliveryCount(count: 2), #"{"count":2}"#),
    Golden(Scrobble.DropDeliveries(listen: listen), #"{"listen":"l1"}"#),
    Golden(to: Scrobble.DropDeliveries.self, Scrobble.DeliveryCount(count: 2), #"{"count":2}"#),
    Golden(
      Scrobble.ImportListens(
        listens: [
          .init(
            listen: listen, startedAt: Samples.moment, title: "Two", artist: "Ada", album: "A", albumArtist: "Bob",
            number: 2, duration: Milliseconds(1000), recordingID: "r", releaseID: "s"),
          .init(startedAt: Samples.moment, title: "Two", artist: "Ada"),
        ], sends: true),
      #"""
      {"listens":[{"album":"A","albumArtist":"Bob","artist":"Ada","duration":1000,"listen":"l1","number":2,
      "recordingID":"r","releaseID":"s","startedAt":"2026-11-20T14:30:00.123456Z","title":"Two"},
      {"artist":"Ada","startedAt":"2026-11-20T14:30:00.123456Z","title":"Two"}],"sends":true}
      """#),
    Golden(to: Scrobble.ImportListens.self, Scrobble.Imported(added: 1, known: 1), #"{"added":1,"known":1}"#),
    Golden(Scrobble.ListServices(), "{}"),
    Golden(
      to: Scrobble.ListServices.self,
      Scrobble.ServiceList(services: [
        .init(
          kind: "lastfm", title: "Last.fm", address: "https://a", signIn: [.link, .password], hint: "Get a key.",
          page: "https://b", settings: [.init("LUNARA_LASTFM_KEY", "the key", isSecret: true)],
          capabilities: [.nowPlaying, .loves])
      ]),
      #"""
      {"services":[{"address":"https://a","capabilities":["nowPlaying","loves"],"hint":"Get a key.","kind":"lastfm",
      "page":"https://b","settings":[{"isSecret":true,"meaning":"the key","name":"LUNARA_LASTFM_KEY"}],
      "signIn":["link","password"],"title":"Last.fm"}]}
      """#),
    Golden(Scrobble.ListAccounts(), "{}"),
    Golden(
      to: Scrobble.ListAccounts.self, Scrobble.AccountList(accounts: [account]),
      #"{"accounts":["# + accountText + "]}"),
    Golden(
      Scrobble.SwitchAccount(service: "lastfm", account: "ann", isOn: false),
      #"{"account":"ann","isOn":false,"service":"lastfm"}"#),
    Golden(
      to: Scrobble.SwitchAccount.self, Scrobble.AccountList(accounts: [account]),
      #"{"accounts":["# + accountText + "]}"),
    Golden(
      Scrobble.AddAccount(service: "lastfm", address: "https://a", user: "ann", secret: "p"),
      #"{"address":"https://a","secret":"p","service":"lastfm","user":"ann"}"#),
    Golden(
      to: Scrobble.AddAccount.self, Scrobble.AccountAdded(service: "lastfm", account: "ann"),
      #"{"account":"ann","service":"lastfm"}"#),
    Golden(
      Scrobble.BeginSignIn(service: "lastfm", address: "https://a", page: "https://c"),
      #"{"address":"https://a","page":"https://c","service":"lastfm"}"#),
    Golden(
      to: Scrobble.BeginSignIn.self, Scrobble.SignIn(id: "s", link: "https://c?token=t", expiresAt: Samples.moment),
      #"{"expiresAt":"2026-11-20T14:30:00.123456Z","id":"s","link":"https://c?token=t"}"#),
    Golden(Scrobble.ReadSignIn(id: "s"), #"{"id":"s"}"#),
    Golden(
      to: Scrobble.ReadSignIn.self, Scrobble.SignInState(state: "waiting", link: "https://c?token=u"),
      #"{"link":"https://c?token=u","state":"waiting"}"#),
    Golden(
      to: Scrobble.ReadSignIn.self,
      Scrobble.SignInState(state: "failed", account: "ann", error: LunaraError("scrobble.refused", "m")),
      #"{"account":"ann","error":{"code":"scrobble.refused","message":"m"},"state":"failed"}"#),
    Golden(Scrobble.SignOut(service: "lastfm", account: "ann"), #"{"account":"ann","service":"lastfm"}"#),
    Golden(
      to: Scrobble.SignOut.self, Scrobble.AccountList(accounts: [account]), #"{"accounts":["# + accountText + "]}"),
    Golden(Scrobble.SetPrivate(for: Milliseconds(7_200_000)), #"{"duration":7200000}"#),
    Golden(
      to: Scrobble.SetPrivate.self, Scrobble.PrivateState(until: Samples.moment),
      #"{"until":"2026-11-20T14:30:00.123456Z"}"#),
    Golden(
      Scrobble.ChangeFilters(
        add: [.init(kind: "artist", value: "Ada")], remove: [.init(kind: "room", value: "bath")]),
      #"{"add":[{"kind":"artist","value":"Ada"}],"remove":[{"kind":"room","value":"bath"}]}"#),
    Golden(
      to: Scrobble.ChangeFilters.self, Scrobble.FilterList(filters: [.init(kind: "artist", value: "Ada")]),
      #"{"filters":[{"kind":"artist","value":"Ada"}]}"#),
  ]
}
