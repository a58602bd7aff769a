import Messages
import Model

/// Messages of what plugins are told, and of requests to plugins that have a language model.
extension Golden {
  private static let name = Resolver.PluginName(id: "ask", name: "Ask")
  private static let nameText = #"{"id":"ask","name":"Ask"}"#
  private static let sharing = Resolver.Sharing(
    plugin: name, takesPlays: true, hearsPlays: true, takesHistory: true, waiting: 2, told: 9,
    problem: Samples.failure)
  private static let sharingText = #"""
    {"hearsPlays":true,"plugin":{"id":"ask","name":"Ask"},"problem":{"cause":"ENOENT","code":"library.fileMissing",
    "message":"The file /m/1.flac is gone."},"seesHistory":false,"takesHistory":true,"takesPlays":true,"told":9,
    "waiting":2}
    """#
  private static let chat = Resolver.ChatState(
    conversation: "c1", plugin: name, isBusy: true, first: 1,
    messages: [.init(role: .action, text: "Done.", tool: "queue_add", isFailed: true)], count: 2,
    question: .init(id: "q1", text: "Clear it?"), error: Samples.failure)
  private static let chatText = #"""
    {"conversation":"c1","count":2,"error":{"cause":"ENOENT","code":"library.fileMissing",
    "message":"The file /m/1.flac is gone."},"first":1,"isBusy":true,
    "messages":[{"isFailed":true,"role":"action","text":"Done.","tool":"queue_add"}],
    "plugin":{"id":"ask","name":"Ask"},"question":{"id":"q1","text":"Clear it?"}}
    """#
  private static let unwanted = Resolver.UnwantedMusic(artist: "Ada", title: "One")
  private static let unwantedText = #"{"artist":"Ada","title":"One"}"#

  static let asking = [
    Golden(Resolver.ListSharing(), "{}"),
    Golden(
      to: Resolver.ListSharing.self, Resolver.SharingList(plugins: [sharing]), #"{"plugins":["# + sharingText + "]}"),
    Golden(
      Resolver.SetSharing(plugin: "ask", subject: .plays, isAllowed: true),
      #"{"isAllowed":true,"plugin":"ask","subject":"plays"}"#),
    Golden(to: Resolver.SetSharing.self, sharing, sharingText),
    Golden(Resolver.ListChoices(plugin: "ask"), #"{"plugin":"ask"}"#),
    Golden(
      to: Resolver.ListChoices.self,
      Resolver.ChoiceList(settings: ["model"], choices: [.init(value: "m", label: "M")]),
      #"{"choices":[{"label":"M","value":"m"}],"settings":["model"]}"#),
    Golden(
      Resolver.Chat(words: "hi", conversation: "c1", plugin: "ask", room: Samples.kitchen),
      #"{"conversation":"c1","plugin":"ask","room":"kitchen","words":"hi"}"#),
    Golden(to: Resolver.Chat.self, chat, chatText),
    Golden(Resolver.ReadChat(conversation: "c1", from: 1), #"{"conversation":"c1","from":1}"#),
    Golden(to: Resolver.ReadChat.self, chat, chatText),
    Golden(
      Resolver.AnswerChat(conversation: "c1", question: "q1", isAgreed: true),
      #"{"conversation":"c1","isAgreed":true,"question":"q1"}"#),
    Golden(to: Resolver.AnswerChat.self, chat, chatText),
    Golden(Resolver.Generate(words: "quiet", plugin: "ask"), #"{"plugin":"ask","words":"quiet"}"#),
    Golden(
      to: Resolver.Generate.self,
      Resolver.GeneratedQueue(
        plugin: name, tracks: [DescribedTrack(title: "Gone", artist: "Nobody")], unwanted: 1),
      #"{"plugin":"# + nameText + #","tracks":[{"artist":"Nobody","title":"Gone"}],"unwanted":1}"#),
    Golden(
      Resolver.ChangeUnwanted(add: [unwanted], remove: [.init(artist: "Ben")]),
      #"{"add":["# + unwantedText + #"],"remove":[{"artist":"Ben"}]}"#),
    Golden(
      to: Resolver.ChangeUnwanted.self, Resolver.UnwantedList(items: [unwanted]),
      #"{"items":["# + unwantedText + "]}"),
    Golden(
      Scrobble.ReadWithheld(track: Samples.bareTrack, room: Samples.kitchen),
      #"""
      {"room":"kitchen","track":{"album":"","albumArtist":"","albumID":"files:a1","artist":"","disc":1,"duration":0,
      "genres":[],"id":"files:t2","title":"Two"}}
      """#),
    Golden(
      to: Scrobble.ReadWithheld.self, Scrobble.WithheldReason(reason: "private"), #"{"reason":"private"}"#),
    Golden(Library.ReadListeningContext(), "{}"),
    Golden(
      to: Library.ReadListeningContext.self,
      Library.ListeningContext(
        periods: [
          .init(
            days: 7, artists: ["Ada"], tracks: [.init(title: "One", artist: "Ada")],
            albums: [.init(title: "Left", artist: "Ada")])
        ], recent: [.init(title: "One", artist: "Ada")]),
      #"""
      {"periods":[{"albums":[{"artist":"Ada","title":"Left"}],"artists":["Ada"],"days":7,
      "tracks":[{"artist":"Ada","title":"One"}]}],"recent":[{"artist":"Ada","title":"One"}]}
      """#),
  ]
}
