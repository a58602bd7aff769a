import Messages
import Model

extension Golden {
  static let playback =
    [
      Golden(
        Samples.roomState,
        #"""
        {"duration":187000,"item":{"entry":"e1","host":"h1","origin":{"node":"web@main","place":"files:a1"},
        "path":"file:///m/1%20%C3%A9.flac","track":{"album":"Wörter","albumArtist":"Ärzte","albumID":"files:a1",
        "art":"files:c1","artist":"Guest","disc":2,"duration":187000,"genres":["Jazz"],"id":"files:t1",
        "number":3,"recordingID":"rec","releaseID":"rel","title":"One","year":1999}},"position":{"offset":1500,
        "rate":1,"takenAt":"2026-11-20T14:30:00.123456Z"},"queueRevision":8,"room":"kitchen",
        "state":{"name":"playing"},"volume":80}
        """#),
      Golden(
        Samples.idleRoom,
        #"""
        {"position":{"offset":0,"rate":0,"takenAt":"2026-11-20T14:30:00.123456Z"},"queueRevision":0,
        "room":"kitchen","state":{"error":{"cause":"ENOENT","code":"library.fileMissing",
        "message":"The file /m/1.flac is gone."},"name":"error"},"volume":100}
        """#),
      Golden(
        Samples.queue,
        #"""
        {"count":2,"current":1,"first":0,"items":[{"entry":"e2","origin":{"node":"cli@main"},"track":{"album":"",
        "albumArtist":"","albumID":"files:a1","artist":"","disc":1,"duration":0,"genres":[],"id":"files:t2",
        "title":"Two"}}],"revision":8}
        """#),
      Golden(
        Playback.QueueState(revision: 0, count: 0, current: nil, first: 0, items: []),
        #"{"count":0,"first":0,"items":[],"revision":0}"#),
      Golden(
        Playback.ListenStarted(subject: Samples.subject),
        #"""
        {"subject":{"item":{"entry":"e2","origin":{"node":"cli@main"},"track":{"album":"","albumArtist":"",
        "albumID":"files:a1","artist":"","disc":1,"duration":0,"genres":[],"id":"files:t2","title":"Two"}},
        "listen":"l1","room":"kitchen","startedAt":"2026-11-20T14:30:00.123456Z"}}
        """#),
      Golden(
        Playback.ListenStarted(subject: Samples.placedSubject),
        #"""
        {"subject":{"device":"pulse/headphones","item":{"entry":"e2","origin":{"node":"cli@main"},"track":{"album":"",
        "albumArtist":"","albumID":"files:a1","artist":"","disc":1,"duration":0,"genres":[],"id":"files:t2",
        "title":"Two"}},"listen":"l1","room":"kitchen","startedAt":"2026-11-20T14:30:00.123456Z"}}
        """#),
      Golden(
        Playback.ListenHeard(subject: Samples.subject, heard: Milliseconds(30_000)),
        #"""
        {"heard":30000,"subject":{"item":{"entry":"e2","origin":{"node":"cli@main"},"track":{"album":"",
        "albumArtist":"","albumID":"files:a1","artist":"","disc":1,"duration":0,"genres":[],"id":"files:t2",
        "title":"Two"}},"listen":"l1","room":"kitchen","startedAt":"2026-11-20T14:30:00.123456Z"}}
        """#),
      Golden(
        Playback.ListenEnded(subject: Samples.subject, heard: Milliseconds(90_000), reason: .finished),
        #"""
        {"heard":90000,"reason":"finished","subject":{"item":{"entry":"e2","origin":{"node":"cli@main"},
        "track":{"album":"","albumArtist":"","albumID":"files:a1","artist":"","disc":1,"duration":0,"genres":[],
        "id":"files:t2","title":"Two"}},"listen":"l1","room":"kitchen",
        "startedAt":"2026-11-20T14:30:00.123456Z"}}
        """#),
      Golden(
        Playback.TrackFailed(room: Samples.kitchen, item: Samples.bareItem, error: Samples.failure),
        #"""
        {"error":{"cause":"ENOENT","code":"library.fileMissing","message":"The file /m/1.flac is gone."},
        "item":{"entry":"e2","origin":{"node":"cli@main"},"track":{"album":"","albumArtist":"",
        "albumID":"files:a1","artist":"","disc":1,"duration":0,"genres":[],"id":"files:t2","title":"Two"}},
        "room":"kitchen"}
        """#),
      Golden(
        Playback.Load(load: "x", part: 1, isLast: false, mode: .later, items: [Samples.bareItem], startAt: 1),
        #"""
        {"isLast":false,"items":[{"entry":"e2","origin":{"node":"cli@main"},"track":{"album":"","albumArtist":"",
        "albumID":"files:a1","artist":"","disc":1,"duration":0,"genres":[],"id":"files:t2","title":"Two"}}],
        "load":"x","mode":"later","part":1,"startAt":1}
        """#),
      Golden(
        Playback.Load(load: "x", part: 1, isLast: false, mode: .later, items: [Samples.describedItem], startAt: 1),
        #"""
        {"isLast":false,"items":[{"described":{"artist":"Nobody","title":"Gone"},"entry":"e4",
        "origin":{"node":"cli@main"},"track":{"album":"","albumArtist":"Nobody","albumID":"described:d8c162ec1f19cccfa",
        "artist":"Nobody","disc":1,"duration":0,"genres":[],"id":"described:deea19854b5855439","title":"Gone"}}],
        "load":"x","mode":"later","part":1,"startAt":1}
        """#),
      Golden(to: Playback.Load.self, Samples.summary, #"{"count":2,"current":1,"revision":8}"#),
      Golden(
        to: Playback.Transport.self, Samples.idleRoom,
        #"""
        {"position":{"offset":0,"rate":0,"takenAt":"2026-11-20T14:30:00.123456Z"},"queueRevision":0,
        "room":"kitchen","state":{"error":{"cause":"ENOENT","code":"library.fileMissing",
        "message":"The file /m/1.flac is gone."},"name":"error"},"volume":100}
        """#),
      Golden(Playback.ReadQueue(first: 50, limit: 100), #"{"first":50,"limit":100}"#),
      Golden(Playback.ReadQueue(wantsAudio: true), #"{"first":0,"limit":100,"wantsAudio":true}"#),
      Golden(
        to: Playback.ReadQueue.self,
        Playback.QueueState(
          revision: 8, count: 2, current: 1, first: 0, items: [Samples.bareItem], audio: [.fetched]),
        #"""
        {"audio":["fetched"],"count":2,"current":1,"first":0,"items":[{"entry":"e2","origin":{"node":"cli@main"},
        "track":{"album":"","albumArtist":"","albumID":"files:a1","artist":"","disc":1,"duration":0,"genres":[],
        "id":"files:t2","title":"Two"}}],"revision":8}
        """#),
      Golden(
        to: Playback.ReadQueue.self, Samples.queue,
        #"""
        {"count":2,"current":1,"first":0,"items":[{"entry":"e2","origin":{"node":"cli@main"},"track":{"album":"",
        "albumArtist":"","albumID":"files:a1","artist":"","disc":1,"duration":0,"genres":[],"id":"files:t2",
        "title":"Two"}}],"revision":8}
        """#),
      Golden(Playback.EditQueue(.clear), #"{"edit":{"name":"clear"}}"#),
      Golden(Playback.EditQueue(.restore), #"{"edit":{"name":"restore"}}"#),
      Golden(Playback.EditQueue(.remove(at: 3)), #"{"edit":{"at":3,"name":"remove"}}"#),
      Golden(Playback.EditQueue(.move(from: 1, to: 0)), #"{"edit":{"from":1,"name":"move","to":0}}"#),
      Golden(
        to: Playback.EditQueue.self, Playback.QueueSummary(revision: 9, count: 1, current: 0),
        #"{"count":1,"current":0,"revision":9}"#),
    ] + transport

  private static let transport = [
    Golden(Playback.Transport(.resume), #"{"action":{"name":"resume"}}"#),
    Golden(Playback.Transport(.pause), #"{"action":{"name":"pause"}}"#),
    Golden(Playback.Transport(.toggle), #"{"action":{"name":"toggle"}}"#),
    Golden(Playback.Transport(.next), #"{"action":{"name":"next"}}"#),
    Golden(Playback.Transport(.previous), #"{"action":{"name":"previous"}}"#),
    Golden(Playback.Transport(.stop), #"{"action":{"name":"stop"}}"#),
    Golden(Playback.Transport(.seek(to: Milliseconds(90_000))), #"{"action":{"name":"seek","to":90000}}"#),
    Golden(Playback.Transport(.skip(by: Milliseconds(-15_000))), #"{"action":{"by":-15000,"name":"skip"}}"#),
    Golden(Playback.Transport(.volume(40)), #"{"action":{"name":"volume","percent":40}}"#),
    Golden(Playback.Transport(.jump(to: 3)), #"{"action":{"name":"jump","to":3}}"#),
  ]
}
