import Messages
import Model

extension Golden {
  static let sources = [
    Golden(Library.ListSources(), #"{}"#),
    Golden(
      to: Library.ListSources.self,
      .init(
        sources: [
          .init(
            status: Samples.awaySource, isFromSettings: true, account: "ann",
            sections: [.init(key: "2", title: "Music", isOn: true, tracks: 60)]),
          .init(
            status: Samples.awaySource, isFromSettings: false, account: nil,
            sections: [.init(key: "/m", title: "/m", isOn: true, tracks: 1, isFromSettings: false)]),
        ],
        kinds: [
          .init(
            kind: "plex", title: "Plex", hint: "h", signIn: [.link, .token],
            settings: [
              .init(key: "secret", title: "Token", meaning: "m", name: "LUNARA_PLEX_TOKEN", isSecret: true)
            ], capabilities: [.ratings, .nowPlaying])
        ]),
      #"""
      {"kinds":[{"capabilities":["ratings","nowPlaying"],"hint":"h","kind":"plex","settings":[{"isRequired":false,
      "isSecret":true,"isSwitch":false,"key":"secret","meaning":"m","name":"LUNARA_PLEX_TOKEN","title":"Token"}],
      "signIn":["link","token"],"title":"Plex"}],
      "sources":[{"account":"ann","isFromSettings":true,"sections":[{"isOn":true,"key":"2","title":"Music",
      "tracks":60}],"status":{"albums":0,"health":"unreachable","kind":"plex","name":"plex","problemCount":0,
      "problems":[],"tracks":0}},{"isFromSettings":false,"sections":[{"isFromSettings":false,"isOn":true,"key":"/m",
      "title":"/m","tracks":1}],"status":{"albums":0,
      "health":"unreachable","kind":"plex","name":"plex","problemCount":0,"problems":[],"tracks":0}}]}
      """#),
    Golden(
      Library.AddSource(type: "subsonic", address: "http://10.0.0.3:4533", user: "ann", secret: "s3"),
      #"{"address":"http://10.0.0.3:4533","secret":"s3","type":"subsonic","user":"ann"}"#),
    Golden(
      Library.AddSource(
        type: "subsonic", address: "http://10.0.0.3:4533", secret: "s3", exposesPassword: true, forwardsPlays: false),
      #"{"address":"http://10.0.0.3:4533","exposesPassword":true,"forwardsPlays":false,"secret":"s3","type":"subsonic"}"#
    ),
    Golden(
      Library.AddSource(type: "other", address: "http://10.0.0.3", settings: [.init(key: "library", value: "Music")]),
      #"{"address":"http://10.0.0.3","settings":[{"key":"library","value":"Music"}],"type":"other"}"#),
    Golden(to: Library.AddSource.self, .init(name: "subsonic"), #"{"name":"subsonic"}"#),
    Golden(Library.RemoveSource(name: "plex"), #"{"name":"plex"}"#),
    Golden(to: Library.RemoveSource.self, Done(), #"{}"#),
    Golden(Library.OrderSources(names: ["plex", "files"]), #"{"names":["plex","files"]}"#),
    Golden(to: Library.OrderSources.self, .init(names: ["plex", "files"]), #"{"names":["plex","files"]}"#),
    Golden(
      Library.SwitchSection(source: "plex", section: "2", isOn: false),
      #"{"isOn":false,"section":"2","source":"plex"}"#),
    Golden(to: Library.SwitchSection.self, Done(), #"{}"#),
    Golden(Library.BeginSignIn(service: "plex"), #"{"service":"plex"}"#),
    Golden(
      to: Library.BeginSignIn.self,
      .init(
        id: "7", code: "AB12", page: "https://plex.tv/link", link: "https://app.plex.tv/auth#?code=x",
        expiresAt: Samples.moment),
      #"""
      {"code":"AB12","expiresAt":"2026-11-20T14:30:00.123456Z","id":"7","link":"https://app.plex.tv/auth#?code=x",
      "page":"https://plex.tv/link"}
      """#),
    Golden(Library.ReadSignIn(id: "7"), #"{"id":"7"}"#),
    Golden(
      to: Library.ReadSignIn.self,
      .init(state: "failed", account: "ann", sources: ["plex"], error: Samples.failure),
      #"""
      {"account":"ann","error":{"cause":"ENOENT","code":"library.fileMissing",
      "message":"The file /m/1.flac is gone."},"sources":["plex"],"state":"failed"}
      """#),
    Golden(Library.SignOut(service: "plex"), #"{"service":"plex"}"#),
    Golden(to: Library.SignOut.self, Done(), #"{}"#),
  ]
}
