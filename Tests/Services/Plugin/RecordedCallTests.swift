import Foundation
import TestSupport
import Testing

/// Calls as public plugins were recorded: plugins of our own that are written to do the same send the same requests
/// here, and give the same results.
@Suite(
  .serialized, .timeLimit(.minutes(2)),
  .enabled(
    if: RecordedAnswers.folder != nil, "needs the recordings of real servers: set LUNARA_RECORDINGS to their folder"))
struct RecordedCallTests {
  private static let implementations: [String: [String: String]] = [
    "spotify": [
      "search": """
      async function(query, config) {
        if (!config.token) return [];
        const answer = await fetch(`https://api.spotify.com/v1/search?q=${encodeURIComponent(query)}&type=track`,
          { headers: { Authorization: `Bearer ${config.token}` } });
        if (answer.status >= 500) throw new Error(`Spotify server error: ${answer.status}`);
        const { tracks } = await answer.json();
        return tracks.items.map((one) => ({
          id: `spotify-${one.id}`, title: one.name, artist: one.artists.map(({ name }) => name).join(', '),
          album: one.album.name, duration: Math.floor(one.duration_ms / 1000), sources: ['spotify'], spotifyUri: one.uri,
          spotifyId: one.id, spotifyAlbumId: one.album.id, albumArt: one.album.images[0]?.url,
          isrc: one.external_ids?.isrc?.trim().toUpperCase() }));
      }
      """
    ],
    "soundcloud": [
      "search": """
      async function(query, { token }) {
        if (!token) return [];
        const answer = await fetch(`https://api.soundcloud.com/tracks?q=${encodeURIComponent(query)}&limit=20`,
          { headers: { Authorization: `OAuth ${token}` } });
        return (await answer.json()).map((one) => ({
          id: `soundcloud-${one.id}`, title: one.title, artist: one.user.username, album: 'SoundCloud',
          duration: Math.floor(one.duration / 1000), sources: ['soundcloud'], soundcloudId: one.id,
          soundcloudUrl: one.permalink_url, albumArt: one.artwork_url.replace('-large', '-t500x500'),
          streamable: one.streamable, waveformUrl: one.waveform_url }));
      }
      """
    ],
    "bandsintown": [
      "searchArtistEvents": """
      async function(artist, { appId }) {
        const ask = () => fetch(
          `https://rest.bandsintown.com/artists/${encodeURIComponent(artist)}/events?app_id=${appId}&date=upcoming`,
          { headers: { Accept: 'application/json' } });
        let answer = await ask();
        for (let time = 1000; answer.status === 429 && time <= 2000; time *= 2) {
          await new Promise((done) => setTimeout(done, time));
          answer = await ask();
        }
        if (!answer.ok) return [];
        return (await answer.json()).map((one) => ({
          id: `bit-${one.id}`, source: 'bandsintown', artist, title: one.title || `${artist} live`, datetime: one.datetime,
          date: one.datetime.slice(0, 10),
          venue: { ...one.venue, latitude: parseFloat(one.venue.latitude), longitude: parseFloat(one.venue.longitude) },
          lineup: one.lineup, ticketUrl: one.offers[0]?.url, url: one.url,
          onSale: one.offers.some(({ status }) => status === 'available'), description: one.description ?? '' }));
      }
      """
    ],
    "youtube": [
      "lookupUrl": """
      async function(address) {
        const id = address.match(/youtu\\.be\\/([\\w-]+)/)[1];
        const page = `https://www.youtube.com/watch?v=${id}`;
        const { title } = await (await fetch(`https://www.youtube.com/oembed?url=${page}&format=json`)).json();
        const [artist, name] = title.split(' - ');
        return { title: name, artist, album: 'YouTube', duration: 180, albumArt: `https://i.ytimg.com/vi/${id}/mqdefault.jpg`,
          sourceUrl: address, youtubeId: id, youtubeUrl: page };
      }
      """
    ],
    "ollama": [
      "chat": """
      async function(messages, tools, { endpoint = 'http://localhost:11434' }) {
        const answer = await fetch(`${endpoint}/api/chat`, {
          method: 'POST', headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ model: 'llama3.1', messages, stream: false,
            tools: tools.map((one) => ({ type: 'function', function: one })) }) });
        const { message } = await answer.json();
        return { content: message.content, toolCalls: message.tool_calls.map((one) => ({
          id: one.id, name: one.function.name, arguments: JSON.parse(one.function.arguments) })) };
      }
      """
    ],
  ]

  /// The recorded calls.
  private static func cases() throws -> [TestPlugin.Fields] {
    let folder = try #require(RecordedAnswers.folder)
    let data = try Data(contentsOf: URL(filePath: "\(folder)/plugins/calls.json"))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [TestPlugin.Fields])
  }

  @Test(
    .enabled(
      if: RecordedAnswers.plugins != nil,
      "needs the plugins that were recorded, which are other people's: set LUNARA_TEST_PLUGINS to a folder of them"))
  func theRecordedPluginsThemselvesDoAsRecorded() throws {
    let folder = try #require(RecordedAnswers.plugins)
    var missing: Set<String> = []
    for one in try Self.cases() {
      let (id, function) = (one["plugin"] as? String ?? "", one["function"] as? String ?? "")
      let file = "\(folder)/\(id).axe"
      guard FileManager.default.fileExists(atPath: file) else {
        missing.insert(id)
        continue
      }
      let plugin = try TestPlugin()
      try plugin.send(["load": try String(contentsOfFile: file, encoding: .utf8)])
      #expect((try plugin.line()?["loaded"] as? TestPlugin.Fields)?["functions"] != nil, "\(id)")
      try replay(one, function, on: plugin)
    }
    #expect(missing.isEmpty, "The folder has no files of these plugins.")
  }

  @Test func theSameRequestsAreSentAndTheSameResultsGiven() throws {
    var replayed = 0
    for one in try Self.cases() {
      let (plugin, function) = (one["plugin"] as? String ?? "", one["function"] as? String ?? "")
      guard let code = Self.implementations[plugin], code[function] != nil else { continue }
      replayed += 1
      try replay(one, function, on: try TestPlugin(code, id: plugin))
    }
    #expect(replayed >= 8)
  }

  /// Returns a request with the members of its body in a fixed order: the arguments of this test have none.
  private static func comparable(_ request: TestPlugin.Fields) throws -> TestPlugin.Fields {
    guard let body = request["body"] as? String else { return request }
    let value = try JSONSerialization.jsonObject(with: Data(body.utf8), options: .fragmentsAllowed)
    return request.merging(["body": TestPlugin.json(value)]) { $1 }
  }

  private func replay(_ one: TestPlugin.Fields, _ function: String, on plugin: TestPlugin) throws {
    var responses = one["responses"] as? [TestPlugin.Fields] ?? []
    var seen: [TestPlugin.Fields] = []
    let line = try plugin.call(function, one["args"] as? [Any] ?? []) { ask in
      seen.append(ask.filter { ["url", "method", "headers", "body"].contains($0.key) })
      guard !responses.isEmpty else { return ["error": "no more answers"] }
      let response = responses.removeFirst()
      let text = response["body"] as? String ?? TestPlugin.json(response["body"] ?? "")
      return ["result": ["status": response["status"] ?? 200, "text": text]]
    }
    let expected = one["requests"] as? [TestPlugin.Fields] ?? []
    #expect(TestPlugin.json(try seen.map(Self.comparable)) == TestPlugin.json(try expected.map(Self.comparable)))
    if let message = one["throws"] as? String {
      #expect((line["error"] as? TestPlugin.Fields)?["message"] as? String == message)
    } else {
      #expect(TestPlugin.json(line["result"] ?? "none") == TestPlugin.json(one["result"] ?? "missing"))
    }
  }
}
