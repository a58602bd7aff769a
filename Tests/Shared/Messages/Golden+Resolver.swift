import Messages
import Model

extension Golden {
  private static let plugin = Resolver.Plugin(
    id: "archive", name: "Archive", version: "1.2.0", author: "Ada", summary: "Old recordings", icon: "🎵",
    color: "#7a5c3e", homepage: "https://archive.example/", isResolver: true, digest: "ab", hosts: ["archive.example"],
    capabilities: ["resolve"], functions: ["resolve"], isEnabled: true, place: 1,
    settings: [
      .init(
        name: "server", label: "Address", summary: "Where it is", value: "https://a.example",
        proposal: "https://b.example", isSet: true,
        isSecret: false, isRequired: true, isReadOnly: false, placeholder: "https://…",
        choices: [.init(value: "a", label: "A")])
    ],
    account: .init(
      service: "Spotify", isSignedIn: true, name: "Ada", since: Samples.moment, clientID: "c1", needsSecret: true,
      hasSecret: true, redirect: "http://127.0.0.1:8888/callback", page: "https://s.example", problem: Samples.failure),
    consent: .init(
      isNew: false, isUpdate: true, formerVersion: "1.1.0", newHosts: ["b.example"], newCapabilities: ["search"],
      inheritable: [.init(key: "account", title: "the account")]),
    lastError: Samples.failure, failedAt: Samples.moment, origin: "https://a.example/a.axe", newVersion: "1.3.0",
    formerVersion: "1.1.0", links: ["https://a.example/key"],
    servers: [.init(setting: "server", address: "http://192.168.1.5", isAllowed: true, isProposed: false)])

  private static let pluginText = #"""
    {"account":{"clientID":"c1","hasSecret":true,"isSignedIn":true,"name":"Ada","needsSecret":true,
    "page":"https://s.example","problem":{"cause":"ENOENT","code":"library.fileMissing",
    "message":"The file /m/1.flac is gone."},"redirect":"http://127.0.0.1:8888/callback","service":"Spotify",
    "since":"2026-11-20T14:30:00.123456Z"},"author":"Ada","capabilities":["resolve"],"color":"#7a5c3e",
    "consent":{"formerVersion":"1.1.0","inheritable":[{"key":"account","title":"the account"}],"isNew":false,"isUpdate":true,"newCapabilities":["search"],
    "newHosts":["b.example"]},"digest":"ab","failedAt":"2026-11-20T14:30:00.123456Z","formerVersion":"1.1.0","functions":["resolve"],
    "homepage":"https://archive.example/","hosts":["archive.example"],"icon":"🎵","id":"archive","isEnabled":true,
    "isResolver":true,"lastError":{"cause":"ENOENT","code":"library.fileMissing",
    "message":"The file /m/1.flac is gone."},"links":["https://a.example/key"],"name":"Archive","newVersion":"1.3.0",
    "origin":"https://a.example/a.axe","place":1,
    "servers":[{"address":"http://192.168.1.5","isAllowed":true,"isProposed":false,"setting":"server"}],
    "settings":[{"choices":[{"label":"A","value":"a"}],"isReadOnly":false,"isRequired":true,"isSecret":false,
    "isSet":true,"label":"Address","name":"server","placeholder":"https://…","proposal":"https://b.example","summary":"Where it is",
    "value":"https://a.example"}],"summary":"Old recordings","version":"1.2.0"}
    """#

  private static let described = DescribedTrack(
    title: "Gone", artist: "Nobody", choice: ChosenSource(plugin: "archive", isPreview: true))
  private static let describedText =
    #"{"artist":"Nobody","choice":{"isPreview":true,"plugin":"archive"},"title":"Gone"}"#
  private static let device = Resolver.Device(
    id: "d1", name: "Phone", kind: "smartphone", isActive: true, isRestricted: false)
  private static let deviceText =
    #"{"id":"d1","isActive":true,"isRestricted":false,"kind":"smartphone","name":"Phone"}"#
  private static let name = Resolver.PluginName(id: "archive", name: "Archive")
  private static let nameText = #"{"id":"archive","name":"Archive"}"#

  private static let shown = Resolver.ShownTrack(
    id: TrackID(source: "described", native: "d1"), state: .found,
    badges: [.init(plugin: name, color: "#7a5c3e", confidence: 0.95, isAvailable: true)])
  private static let shownText = #"""
    {"badges":[{"color":"#7a5c3e","confidence":0.95,"isAvailable":true,"plugin":{"id":"archive","name":"Archive"}}],
    "id":"described:d1","state":"found"}
    """#

  private static let sourceList = Resolver.SourceList(
    sources: [
      .init(
        plugin: name, color: "#7a5c3e", kind: .stream, confidence: 0.95, rank: 1, reason: "order", title: "Gone",
        artist: "Nobody", album: "Left", duration: Milliseconds(60_000), cover: "https://a.example/c",
        url: "https://a.example/t", sourceID: "t1", hasPreview: true)
    ], failures: [.init(plugin: name, error: Samples.failure)])

  private static let sourcesText = #"""
    {"failures":[{"error":{"cause":"ENOENT","code":"library.fileMissing",
    "message":"The file /m/1.flac is gone."},"plugin":{"id":"archive","name":"Archive"}}],
    "sources":[{"album":"Left","artist":"Nobody","color":"#7a5c3e","confidence":0.95,"cover":"https://a.example/c",
    "duration":60000,"hasPreview":true,"kind":"stream","plugin":{"id":"archive","name":"Archive"},"rank":1,"reason":"order",
    "sourceID":"t1","title":"Gone","url":"https://a.example/t"}]}
    """#

  static let resolver = [
    Golden(
      Resolver.PluginState(enabled: 2, revision: 7, problem: Samples.failure, music: 1, concerts: 1),
      #"""
      {"concerts":1,"enabled":2,"music":1,"problem":{"cause":"ENOENT","code":"library.fileMissing",
      "message":"The file /m/1.flac is gone."},"revision":7}
      """#),
    Golden(
      Resolver.ShowTracks(context: "page-1 queue", place: .queue, tracks: [described], hovered: described),
      #"{"context":"page-1 queue","hovered":"# + describedText + #","place":"queue","tracks":["# + describedText + "]}"),
    Golden(to: Resolver.ShowTracks.self, Resolver.ShownTrackList(tracks: [shown]), #"{"tracks":["# + shownText + "]}"),
    Golden(Resolver.ShownTracksState(tracks: [shown]), #"{"tracks":["# + shownText + "]}"),
    Golden(Resolver.ListPlugins(), "{}"),
    Golden(
      to: Resolver.ListPlugins.self,
      Resolver.PluginList(plugins: [plugin], unusable: [.init(file: "x.axe", error: Samples.failure)]),
      #"{"plugins":["# + pluginText + #"""
        ],"unusable":[{"error":{"cause":"ENOENT","code":"library.fileMissing",
        "message":"The file /m/1.flac is gone."},"file":"x.axe"}]}
        """#),
    Golden(
      Resolver.OfferPlugin(address: "https://a.example/a.axe"),
      #"{"address":"https://a.example/a.axe","offset":0,"size":0}"#),
    Golden(Resolver.OfferPlugin(part: "e30=", offset: 0, size: 2), #"{"offset":0,"part":"e30=","size":2}"#),
    Golden(to: Resolver.OfferPlugin.self, Resolver.Offer(plugin: plugin), #"{"plugin":"# + pluginText + "}"),
    Golden(
      to: Resolver.OfferPlugin.self,
      Resolver.Offer(
        plugin: nil,
        listed: [.init(id: "archive", version: "2.0", address: "https://a.example/a.axe", installed: "1.2.0")]),
      #"{"listed":[{"address":"https://a.example/a.axe","id":"archive","installed":"1.2.0","version":"2.0"}]}"#),
    Golden(Resolver.FindUpdates(id: "archive"), #"{"id":"archive"}"#),
    Golden(
      to: Resolver.FindUpdates.self,
      Resolver.UpdateList(
        updates: [plugin], current: [name], withoutOrigin: [name],
        failures: [.init(plugin: name, error: Samples.failure)]),
      #"{"current":["# + nameText + #"],"failures":[{"error":{"cause":"ENOENT","code":"library.fileMissing","#
        + #""message":"The file /m/1.flac is gone."},"plugin":"# + nameText + #"}],"updates":["# + pluginText
        + #"],"withoutOrigin":["# + nameText + "]}"),
    Golden(Resolver.OfferFormerVersion(id: "archive"), #"{"id":"archive"}"#),
    Golden(to: Resolver.OfferFormerVersion.self, Resolver.Offer(plugin: plugin), #"{"plugin":"# + pluginText + "}"),
    Golden(
      Resolver.AllowPlugin(id: "archive", digest: "ab", inherits: ["account"]),
      #"{"digest":"ab","id":"archive","inherits":["account"]}"#),
    Golden(to: Resolver.AllowPlugin.self, plugin, pluginText),
    Golden(
      Resolver.SetPlugin(
        id: "archive", isEnabled: true, settings: [.init(name: "server", value: "https://b.example")],
        host: "b.example", server: .init(setting: "server", address: "http://192.168.1.5", digest: "ab")),
      #"""
      {"host":"b.example","id":"archive","isEnabled":true,"server":{"address":"http://192.168.1.5","digest":"ab",
      "isAllowed":true,"setting":"server"},"settings":[{"name":"server","value":"https://b.example"}]}
      """#),
    Golden(to: Resolver.SetPlugin.self, plugin, pluginText),
    Golden(Resolver.OrderPlugins(ids: ["archive", "b"]), #"{"ids":["archive","b"]}"#),
    Golden(
      to: Resolver.OrderPlugins.self, Resolver.PluginList(plugins: [plugin]),
      #"{"plugins":["# + pluginText + #"],"unusable":[]}"#),
    Golden(
      Resolver.BeginSignIn(plugin: "spotify", clientID: "c1", clientSecret: "s1"),
      #"{"clientID":"c1","clientSecret":"s1","plugin":"spotify"}"#),
    Golden(
      to: Resolver.BeginSignIn.self,
      Resolver.SignIn(
        open: "https://s.example/authorize", redirect: "http://127.0.0.1:8888/callback", expiresAt: Samples.moment),
      #"""
      {"expiresAt":"2026-11-20T14:30:00.123456Z","open":"https://s.example/authorize",
      "redirect":"http://127.0.0.1:8888/callback"}
      """#),
    Golden(
      Resolver.FinishSignIn(plugin: "spotify", redirect: "http://127.0.0.1:8888/callback?code=a"),
      #"{"plugin":"spotify","redirect":"http://127.0.0.1:8888/callback?code=a"}"#),
    Golden(to: Resolver.FinishSignIn.self, plugin, pluginText),
    Golden(Resolver.SignOut(plugin: "spotify"), #"{"plugin":"spotify"}"#),
    Golden(to: Resolver.SignOut.self, plugin, pluginText),
    Golden(Resolver.ListDevices(plugin: "spotify"), #"{"plugin":"spotify"}"#),
    Golden(
      to: Resolver.ListDevices.self, Resolver.DeviceList(devices: [device], chosen: "d1"),
      #"{"chosen":"d1","devices":["# + deviceText + "]}"),
    Golden(
      Resolver.PlayOnDevice(plugin: "spotify", described: [described], device: "Phone"),
      #"{"described":["# + describedText + #"],"device":"Phone","plugin":"spotify"}"#),
    Golden(
      to: Resolver.PlayOnDevice.self, Resolver.DevicePlayback(device: device, tracks: 2, missing: [described]),
      #"{"device":"# + deviceText + #","missing":["# + describedText + #"],"tracks":2}"#),
    Golden(Resolver.RemovePlugin(id: "archive"), #"{"id":"archive"}"#),
    Golden(to: Resolver.RemovePlugin.self, Resolver.PluginList(plugins: []), #"{"plugins":[],"unusable":[]}"#),
    Golden(Resolver.TestPlugin(id: "archive"), #"{"id":"archive"}"#),
    Golden(
      to: Resolver.TestPlugin.self,
      Resolver.PluginTest(works: true, message: "It was loaded.", elapsed: Milliseconds(50), log: ["info: hello"]),
      #"{"elapsed":50,"log":["info: hello"],"message":"It was loaded.","works":true}"#),
    Golden(
      Resolver.FindSources(described: described, isFresh: true),
      #"{"described":"# + describedText + #","isFresh":true}"#),
    Golden(to: Resolver.FindSources.self, sourceList, sourcesText),
    Golden(
      Resolver.Locate(described: described, failed: ["b"]),
      #"{"described":"# + describedText + #","failed":["b"]}"#),
    Golden(
      to: Resolver.Locate.self,
      .url(
        "https://a.example/t.mp3", headers: [:], expiresIn: Milliseconds(60_000),
        plugin: .init(id: "archive", name: "Archive", insteadOf: "B", isPublic: true, isPreview: true)),
      #"""
      {"expiresIn":60000,"headers":{},"name":"url",
      "plugin":{"id":"archive","insteadOf":"B","isPreview":true,"isPublic":true,"name":"Archive"},"url":"https://a.example/t.mp3"}
      """#),
    Golden(
      Resolver.DecideSource(described: described, plugin: "archive", sourceID: "t1", verdict: .block),
      #"{"described":"# + describedText + #","plugin":"archive","sourceID":"t1","verdict":"block"}"#),
    Golden(to: Resolver.DecideSource.self, sourceList, sourcesText),
    Golden(Resolver.ListConcerts(artist: "Nobody"), #"{"artist":"Nobody"}"#),
    Golden(
      to: Resolver.ListConcerts.self,
      Resolver.ConcertList(
        concerts: [
          .init(
            artist: "Nobody", title: "Gone again", date: "2027-03-01", time: "20:00", venue: "Hall", city: "Graz",
            region: "Styria", country: "Austria", latitude: 47.5, longitude: 15.25, lineup: ["Nobody"],
            tickets: [.init(plugin: name, url: "https://t.example")], url: "https://c.example")
        ], artists: 3, waiting: 1),
      #"""
      {"artists":3,"concerts":[{"artist":"Nobody","city":"Graz","country":"Austria","date":"2027-03-01",
      "latitude":47.5,"lineup":["Nobody"],"longitude":15.25,"region":"Styria",
      "tickets":[{"plugin":{"id":"archive","name":"Archive"},"url":"https://t.example"}],"time":"20:00",
      "title":"Gone again","url":"https://c.example","venue":"Hall"}],"failures":[],"waiting":1}
      """#),
    Golden(
      Resolver.Search(words: "gone", plugin: "archive"), #"{"plugin":"archive","words":"gone"}"#),
    Golden(
      to: Resolver.Search.self, Resolver.SearchHits(plugin: name, tracks: [described]),
      #"{"plugin":"# + nameText + #","tracks":["# + describedText + "]}"),
    Golden(
      Resolver.OpenAddress(address: "https://a.example/t"), #"{"address":"https://a.example/t"}"#),
    Golden(
      to: Resolver.OpenAddress.self,
      Resolver.OpenedAddress(plugin: name, kind: .album, title: "Left", artist: "Nobody", tracks: [described]),
      #"{"artist":"Nobody","kind":"album","plugin":"# + nameText + #","title":"Left","tracks":["# + describedText
        + "]}"),
  ]
}
