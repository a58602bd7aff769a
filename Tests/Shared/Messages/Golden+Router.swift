import Messages
import Model

extension Golden {
  static let router = [
    Golden(
      Router.Play(
        ids: [PlayableID(source: "files", native: "a1")], room: Samples.kitchen, mode: .next, startAt: 2, shuffle: true,
        seed: 42),
      #"{"ids":["files:a1"],"mode":"next","room":"kitchen","seed":42,"shuffle":true,"startAt":2}"#),
    Golden(
      Router.Play(ids: [], described: [DescribedTrack(title: "Gone", artist: "Nobody")]),
      #"{"described":[{"artist":"Nobody","title":"Gone"}],"ids":[],"mode":"now","shuffle":false,"startAt":0}"#),
    Golden(
      Router.Resolve(
        track: TrackID(source: "described", native: "d1"), host: "h1",
        described: DescribedTrack(title: "Gone", artist: "Nobody"), failed: ["archive"]),
      #"{"described":{"artist":"Nobody","title":"Gone"},"failed":["archive"],"host":"h1","track":"described:d1"}"#),
    Golden(Router.Play(ids: []), #"{"ids":[],"mode":"now","shuffle":false,"startAt":0}"#),
    Golden(
      to: Router.Play.self, Router.Played(room: Samples.kitchen, tracks: 2, queue: Samples.summary),
      #"{"queue":{"count":2,"current":1,"revision":8},"room":"kitchen","tracks":2}"#),
    Golden(
      Router.Resolve(track: TrackID(source: "files", native: "t1"), host: "h1"), #"{"host":"h1","track":"files:t1"}"#),
    Golden(
      to: Router.Resolve.self, .url("http://127.0.0.1:8788/a?k=1", headers: ["Authorization": "Bearer x"]),
      #"{"headers":{"Authorization":"Bearer x"},"name":"url","url":"http://127.0.0.1:8788/a?k=1"}"#),
    Golden(
      to: Router.Resolve.self,
      .url("http://h:8788/audio/files:t1?a=1", headers: [:], expiresIn: Milliseconds(86_400_000)),
      #"{"expiresIn":86400000,"headers":{},"name":"url","url":"http://h:8788/audio/files:t1?a=1"}"#),
    Golden(
      to: Router.Resolve.self, .file(LocalPath("/m/1 é.flac")), #"{"name":"file","path":"file:///m/1%20%C3%A9.flac"}"#),
    Golden(
      to: Router.Resolve.self, .file(LocalPath("/m/image.flac"), segment: Samples.segment),
      #"""
      {"name":"file","path":"file:///m/image.flac","segment":{"end":1176000,"file":"f1","sampleRate":44100,
      "start":588}}
      """#),
    Golden(
      to: Router.Resolve.self, .url("http://h/a", headers: [:], segment: Samples.openSegment),
      #"{"headers":{},"name":"url","segment":{"sampleRate":44100,"start":1176000},"url":"http://h/a"}"#),
  ]
}
