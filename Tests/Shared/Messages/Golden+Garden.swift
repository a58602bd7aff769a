import Messages
import Model

extension Golden {
  private static let on = Library.GardenSubject(
    kind: .album, id: Samples.gardenID, title: "Blue", artist: "Ada", isHere: false)
  private static let onText = #"{"artist":"Ada","id":"files:a1","isHere":false,"kind":"album","title":"Blue"}"#
  private static let session = Library.NoteSession(
    room: RoomName(from: "den"), from: Samples.moment, to: Samples.moment, listens: [ListenID(rawValue: "l1")])
  private static let sessionText =
    #"{"from":"2026-11-20T14:30:00.123456Z","listens":["l1"],"room":"den","to":"2026-11-20T14:30:00.123456Z"}"#
  private static let note = Library.Note(
    note: 4, on: on, text: "Rain.", at: Samples.moment, version: 2, editedAt: Samples.moment, session: session,
    position: Milliseconds(83_000))
  private static let noteText =
    #"{"at":"2026-11-20T14:30:00.123456Z","editedAt":"2026-11-20T14:30:00.123456Z","note":4,"on":"# + onText
    + #","position":83000,"session":"# + sessionText + #","text":"Rain.","version":2}"#
  private static let mark = Library.Mark(
    mark: 5, on: on, text: "Twice.", at: Samples.moment, state: .marked, tracks: 2, bytes: 9, plays: 3,
    lastHeard: Samples.moment, quality: "mp3, lossy",
    duplicates: [
      .init(id: AlbumID(source: "files", native: "a2"), title: "Blue", formats: ["flac"], isLossless: true)
    ])
  private static let markText =
    #"{"at":"2026-11-20T14:30:00.123456Z","bytes":9,"duplicates":[{"formats":["flac"],"id":"files:a2","#
    + #""isLossless":true,"title":"Blue"}],"lastHeard":"2026-11-20T14:30:00.123456Z","mark":5,"on":"# + onText
    + #","plays":3,"quality":"mp3, lossy","state":"marked","text":"Twice.","tracks":2}"#
  private static let todo = Library.Todo(
    todo: 6, on: on, about: .cover, text: "Scan it.", at: Samples.moment, state: .done, evidence: "It has no cover.",
    doneAt: Samples.moment, isNoticed: true, delivery: "failed", problem: Samples.failure)
  private static let todoText =
    #"{"about":"cover","at":"2026-11-20T14:30:00.123456Z","delivery":"failed","doneAt":"2026-11-20T14:30:00.123456Z","#
    + #""evidence":"It has no cover.","isNoticed":true,"on":"# + onText
    + #","problem":{"cause":"ENOENT","code":"library.fileMissing","message":"The file /m/1.flac is gone."},"#
    + #""state":"done","text":"Scan it.","todo":6}"#
  private static let record = Library.GardenRecord(
    form: .todo, uid: "u1", on: on, album: "Blue", disc: 1, number: 2, year: 1971, text: "Scan it.",
    at: Samples.moment, session: session, position: Milliseconds(83_000), state: "done", about: .cover,
    changedAt: Samples.moment)
  private static let recordText =
    #"{"about":"cover","album":"Blue","at":"2026-11-20T14:30:00.123456Z","#
    + #""changedAt":"2026-11-20T14:30:00.123456Z","disc":1,"form":"todo","number":2,"on":"#
    + onText + #","position":83000,"session":"# + sessionText
    + #","state":"done","text":"Scan it.","uid":"u1","year":1971}"#

  private static let opinion = Library.GardenRecord(
    form: .opinion, uid: "opinion-1f", on: on, year: 1971, text: "", at: Samples.moment, state: "like")
  private static let opinionText =
    #"{"at":"2026-11-20T14:30:00.123456Z","form":"opinion","on":"# + onText
    + #","state":"like","text":"","uid":"opinion-1f","year":1971}"#
  private static let themeRecord = Library.ThemeRecord(
    title: "Boat", namesakes: 1, text: "1994.", look: Samples.theme.look,
    cover: .init(title: "Blue", artist: "Ada", year: 1971),
    albums: [.init(title: "Blue", artist: "Ada", year: 1971), .init(title: "Gone", artist: "Ada")])
  private static let themeRecordText =
    #"{"albums":[{"artist":"Ada","title":"Blue","year":1971},{"artist":"Ada","title":"Gone"}],"#
    + #""cover":{"artist":"Ada","title":"Blue","year":1971},"#
    + ##""look":{"first":"#1f5f8b","second":"#e8f0f2","texture":"paper"},"namesakes":1,"##
    + #""text":"1994.","title":"Boat"}"#

  static let garden: [Golden] = gardenNotes + gardenMarks + gardenTodos

  private static let gardenNotes: [Golden] = [
    Golden(
      Library.WriteNote(
        id: Samples.gardenID, text: "Rain.", isOfSession: true, room: RoomName(from: "den"),
        position: Milliseconds(83_000)),
      #"{"id":"files:a1","isOfSession":true,"position":83000,"room":"den","text":"Rain."}"#),
    Golden(to: Library.WriteNote.self, note, noteText),
    Golden(Library.EditNote(note: 4, text: "Snow.", version: 2), #"{"note":4,"text":"Snow.","version":2}"#),
    Golden(to: Library.EditNote.self, note, noteText),
    Golden(Library.DeleteNote(note: 4, isTakenBack: true), #"{"isTakenBack":true,"note":4}"#),
    Golden(to: Library.DeleteNote.self, Done(), "{}"),
    Golden(
      Library.ListNotes(id: Samples.gardenID, words: "rain", after: "c", limit: 7),
      #"{"after":"c","id":"files:a1","limit":7,"words":"rain"}"#),
    Golden(
      to: Library.ListNotes.self, Library.NotePage(items: [note], next: "c"),
      #"{"items":["# + noteText + #"],"next":"c"}"#),
    Golden(Library.ReadNote(note: 4), #"{"note":4}"#),
    Golden(
      to: Library.ReadNote.self,
      Library.NoteHistory(
        note: note, texts: [.init(version: 1, text: "Sun.", at: Samples.moment, isRefused: true)]),
      #"{"note":"# + noteText
        + #","texts":[{"at":"2026-11-20T14:30:00.123456Z","isRefused":true,"text":"Sun.","version":1}]}"#),
    Golden(
      Library.ListDueNotes(album: AlbumID(source: "files", native: "a1"), limit: 3), #"{"album":"files:a1","limit":3}"#),
    Golden(
      to: Library.ListDueNotes.self,
      Library.DueNotes(items: [.init(note: note, reason: "A year ago you wrote this.", years: 1)]),
      #"{"items":[{"note":"# + noteText + #","reason":"A year ago you wrote this.","years":1}]}"#),
    Golden(
      Library.KeepNotesShown(notes: [4], albums: [AlbumID(source: "files", native: "a1")]),
      #"{"albums":["files:a1"],"notes":[4]}"#),
    Golden(to: Library.KeepNotesShown.self, Done(), "{}"),
    Golden(
      Library.NotesShown(albums: [AlbumID(source: "files", native: "a1")]), #"{"albums":["files:a1"]}"#),
    Golden(
      Library.NoteChanged(note: 4, on: on, isDeleted: true), #"{"isDeleted":true,"note":4,"on":"# + onText + "}"),
    Golden(Library.ExportGarden(after: "c"), #"{"after":"c"}"#),
    Golden(
      to: Library.ExportGarden.self, Library.GardenRecords(items: [record], next: "c"),
      #"{"items":["# + recordText + #"],"next":"c"}"#),
    Golden(
      to: Library.ExportGarden.self, Library.GardenRecords(items: [opinion], themes: [themeRecord]),
      #"{"items":["# + opinionText + #"],"themes":["# + themeRecordText + "]}"),
    Golden(Library.ImportGarden(items: [record]), #"{"items":["# + recordText + "]}"),
    Golden(
      Library.ImportGarden(items: [opinion], themes: [themeRecord]),
      #"{"items":["# + opinionText + #"],"themes":["# + themeRecordText + "]}"),
    Golden(
      to: Library.ImportGarden.self, Library.ImportedGarden(added: 3, known: 2, notHere: 1),
      #"{"added":3,"known":2,"notHere":1}"#),
    Golden(
      Library.Search(words: "rain", limit: 5, inNotes: true), #"{"inNotes":true,"limit":5,"words":"rain"}"#),
    Golden(
      to: Library.Search.self, Library.SearchResults(artists: [], albums: [], tracks: [], notes: [note]),
      #"{"albums":[],"artists":[],"notes":["# + noteText + #"],"tracks":[]}"#),
  ]

  private static let gardenMarks: [Golden] = [
    Golden(
      Library.MarkForDeletion(id: Samples.gardenID, reason: "Twice."), #"{"id":"files:a1","reason":"Twice."}"#),
    Golden(to: Library.MarkForDeletion.self, mark, markText),
    Golden(Library.DecideMark(mark: 5, state: .confirmed), #"{"mark":5,"state":"confirmed"}"#),
    Golden(to: Library.DecideMark.self, mark, markText),
    Golden(
      Library.ListMarks(state: .kept, after: "c", limit: 7), #"{"after":"c","limit":7,"state":"kept"}"#),
    Golden(
      to: Library.ListMarks.self, Library.MarkPage(items: [mark], next: "c"),
      #"{"items":["# + markText + #"],"next":"c"}"#),
    Golden(Library.ExportMarks(form: .script, after: "c"), #"{"after":"c","form":"script"}"#),
    Golden(
      to: Library.ExportMarks.self, Library.MarkExport(text: "/m/1.mp3\n", items: 1, leftOut: 2, next: "c"),
      #"{"items":1,"leftOut":2,"next":"c","text":"/m/1.mp3\n"}"#),
    Golden(
      Library.MarkChanged(mark: 5, on: on, state: .kept), #"{"mark":5,"on":"# + onText + #","state":"kept"}"#),
  ]

  private static let gardenTodos: [Golden] = [
    Golden(
      Library.AddTodo(id: Samples.gardenID, about: .cover, text: "Scan it."),
      #"{"about":"cover","id":"files:a1","text":"Scan it."}"#),
    Golden(to: Library.AddTodo.self, todo, todoText),
    Golden(Library.SetTodo(todo: 6, state: .dismissed), #"{"state":"dismissed","todo":6}"#),
    Golden(to: Library.SetTodo.self, todo, todoText),
    Golden(
      Library.ListTodos(state: .open, id: Samples.gardenID, after: "c", limit: 7),
      #"{"after":"c","id":"files:a1","limit":7,"state":"open"}"#),
    Golden(
      to: Library.ListTodos.self, Library.TodoPage(items: [todo], next: "c"),
      #"{"items":["# + todoText + #"],"next":"c"}"#),
    Golden(Library.ListSuggestedTodos(after: "c", limit: 7), #"{"after":"c","limit":7}"#),
    Golden(
      to: Library.ListSuggestedTodos.self,
      Library.SuggestedTodos(items: [.init(on: on, about: .year, evidence: "It has no year.")], next: "c"),
      #"{"items":[{"about":"year","evidence":"It has no year.","on":"# + onText + #"}],"next":"c"}"#),
    Golden(
      Library.DecideSuggestion(id: AlbumID(source: "files", native: "a1"), about: .year, isAccepted: true),
      #"{"about":"year","id":"files:a1","isAccepted":true}"#),
    Golden(to: Library.DecideSuggestion.self, todo, todoText),
    Golden(
      Library.SetTodoWebhook(address: "https://a.example/h", token: "t"),
      #"{"address":"https://a.example/h","token":"t"}"#),
    Golden(
      to: Library.SetTodoWebhook.self,
      Library.TodoWebhook(
        address: "https://a.example/h", hasToken: true, waiting: 1, failed: 2, problem: Samples.failure),
      Samples.webhookText),
    Golden(Library.ReadTodoWebhook(), "{}"),
    Golden(
      to: Library.ReadTodoWebhook.self,
      Library.TodoWebhook(
        address: "https://a.example/h", hasToken: true, waiting: 1, failed: 2, problem: Samples.failure),
      Samples.webhookText),
    Golden(Library.RetryTodos(), "{}"),
    Golden(to: Library.RetryTodos.self, Done(), "{}"),
    Golden(
      Library.TodoChanged(todo: 6, on: on, about: .cover, state: .done),
      #"{"about":"cover","on":"# + onText + #","state":"done","todo":6}"#),
  ]
}

extension Samples {
  static let gardenID = PlayableID(source: "files", native: "a1")
  static let webhookText =
    #"{"address":"https://a.example/h","failed":2,"hasToken":true,"problem":{"cause":"ENOENT","#
    + #""code":"library.fileMissing","message":"The file /m/1.flac is gone."},"waiting":1}"#
}
