import Messages
import Model
import Testing

@testable import lunara_resolver

/// Music by an account: SoundCloud's in a room, Spotify's on a device of the person.
@Suite(.timeLimit(.minutes(2))) struct AccountPlaybackTests {
  private static let wanted = DescribedTrack(title: "Old Song", artist: "Ada")

  private static func finding(_ more: String) -> [String: String] {
    [
      "resolve": "async (artist, title) => ({ id: 'x', title, artist, duration: 60, \(more) })",
      // Were it asked, a device would sound though a room is to play.
      "play": "async (track, config) => { await fetch(config.server + '/played'); return true; }",
    ]
  }

  private func locate(_ accounts: TestAccounts) async throws -> (url: String, headers: [String: String])? {
    let locator = try await accounts.resolver.ask(Resolver.Locate(described: Self.wanted))
    guard case .url(let url, let headers, _, _, _) = locator else { return nil }
    return (url, headers)
  }

  @Test func soundCloudIsPlayedFromWhereItSendsWithoutTheToken() async throws {
    let accounts = try await TestAccounts()
    try await accounts.install("soundcloud", Self.finding("soundcloudId: 77"))
    try await accounts.signIn("soundcloud")
    accounts.plan("/tracks/77/stream", (302, "https://media.example/77.mp3?signed=1"))
    let found = try #require(try await locate(accounts))
    #expect(found.url == "https://media.example/77.mp3?signed=1" && found.headers.isEmpty)
    #expect(accounts.seen("/tracks/77/stream").first?.authorization == "OAuth A1")
    #expect(accounts.seen("/played").isEmpty)
    await accounts.close()
  }

  @Test func soundCloudsListOfStreamsIsReadWhereTheFirstAddressGivesNone() async throws {
    let accounts = try await TestAccounts()
    try await accounts.install("soundcloud", Self.finding("soundcloudUrl: 'https://soundcloud.com/ada/old-song'"))
    try await accounts.signIn("soundcloud")
    accounts.plan("/resolve", (200, #"{"kind":"track","id":78}"#))
    accounts.plan("/tracks/78/streams", (200, #"{"http_mp3_128_url":"\#(accounts.resolver.address)/media/78"}"#))
    accounts.plan("/media/78", (200, "music"))
    let found = try #require(try await locate(accounts))
    // Its own interface wants the token also from a room.
    #expect(found.url == "\(accounts.resolver.address)/media/78" && found.headers == ["Authorization": "OAuth A1"])
    #expect(accounts.seen("/resolve").first?.query["url"] == "https://soundcloud.com/ada/old-song")
    await accounts.close()
  }

  @Test func aTokenThatSoundCloudRefusesIsRefreshedOnce() async throws {
    let accounts = try await TestAccounts()
    try await accounts.install("soundcloud", Self.finding("soundcloudId: 79"))
    try await accounts.signIn("soundcloud")
    accounts.plan("/tracks/79/stream", (401, "{}"), (302, "https://media.example/79.mp3"))
    #expect(try await locate(accounts)?.url == "https://media.example/79.mp3")
    #expect(accounts.seen("/tracks/79/stream").map(\.authorization) == ["OAuth A1", "OAuth A2"])
    #expect(accounts.seen("/oauth/token").count == 2)
    await accounts.close()
  }

  @Test func aSignedOutSoundCloudIsLeftToItsPlugin() async throws {
    let accounts = try await TestAccounts()
    try await accounts.install("soundcloud", Self.finding("soundcloudId: 80"))
    let refusal = await accounts.resolver.refusal(of: Resolver.Locate(described: Self.wanted))
    #expect(refusal?.code == "resolver.notFound" && accounts.seen("/tracks/80/stream").isEmpty)
    await accounts.close()
  }

  private static let devices = #"""
    {"devices":[
      {"id":"w","name":"Web Player (Chrome)","type":"Computer","is_active":true,"is_restricted":false},
      {"id":"t","name":"Television","type":"TV","is_active":false,"is_restricted":true},
      {"id":"k","name":"Kitchen <b>","type":"Speaker","is_active":false,"is_restricted":false},
      {"id":"p","name":"Phone","type":"Smartphone","is_active":false,"is_restricted":false}]}
    """#
  private static let uri = "spotify:track:4uLU6hMCjMI75M1A2tKUQC"

  private func spotify() async throws -> TestAccounts {
    let accounts = try await TestAccounts(answer: { seen in
      if seen.path == "/v1/me/player/devices" { return (200, Self.devices) }
      return seen.path.hasPrefix("/v1/me/player") ? (204, "") : nil
    })
    try await accounts.install("spotify", Self.finding("spotifyUri: '\(Self.uri)'"))
    try await accounts.signIn("spotify")
    return accounts
  }

  @Test func spotifyPlaysOnADeviceOfThePerson() async throws {
    let accounts = try await spotify()
    let played = try await accounts.resolver.ask(Resolver.PlayOnDevice(plugin: "spotify", described: [Self.wanted]))
    #expect(played.device.name == "Phone" && played.tracks == 1 && played.missing.isEmpty)
    let orders = accounts.paths.filter { $0.hasPrefix("PUT") }
    #expect(orders == ["PUT /v1/me/player", "PUT /v1/me/player/play"] && accounts.made == [.seconds(1)])
    #expect(accounts.seen("/v1/me/player").first?.body == #"{"device_ids":["p"],"play":false}"#)
    let play = try #require(accounts.seen("/v1/me/player/play").first)
    #expect(play.body == #"{"uris":["\#(Self.uri)"]}"# && play.query["device_id"] == "p")
    #expect(play.authorization == "Bearer A1")
    // Another one by its name.
    let named = Resolver.PlayOnDevice(plugin: "spotify", described: [Self.wanted], device: "kitchen <b>")
    #expect(try await accounts.resolver.ask(named).device.id == "k")
    let unknown = Resolver.PlayOnDevice(plugin: "spotify", described: [Self.wanted], device: "Attic")
    #expect(await accounts.resolver.refusal(of: unknown)?.code == "resolver.unknownDevice")
    await accounts.close()
  }

  @Test func spotifyIsNeverTheSoundOfARoom() async throws {
    let accounts = try await spotify()
    let sources = try await accounts.resolver.ask(Resolver.FindSources(described: Self.wanted)).sources
    #expect(sources.map(\.kind) == [.device])
    let refusal = await accounts.resolver.refusal(of: Resolver.Locate(described: Self.wanted))
    #expect(refusal?.code == "resolver.notFound" && refusal?.cause?.contains("--on spotify") == true)
    #expect(accounts.seen("/played").isEmpty && !accounts.paths.contains("PUT /v1/me/player"))
    await accounts.close()
  }

  @Test func aTokenThatSpotifyRefusesIsRefreshedAndAgainAfterTwoSeconds() async throws {
    let accounts = try await spotify()
    accounts.plan("/v1/me/player/devices", (401, "{}"), (401, "{}"))
    #expect(try await accounts.resolver.ask(Resolver.ListDevices(plugin: "spotify")).chosen == "p")
    #expect(accounts.made == [.seconds(2)])
    #expect(
      accounts.seen("/v1/me/player/devices").map(\.authorization) == ["Bearer A1", "Bearer A2", "Bearer A3"])
    accounts.plan("/v1/me/player/devices", (401, "{}"), (401, "{}"), (401, "{}"))
    let refusal = await accounts.resolver.refusal(of: Resolver.ListDevices(plugin: "spotify"))
    #expect(refusal?.code == "resolver.accountAway" && accounts.seen("/v1/me/player/devices").count == 6)
    await accounts.close()
  }

  @Test func spotifysRefusalIsTold() async throws {
    let accounts = try await spotify()
    accounts.plan(
      "/v1/me/player/play", (403, #"{"error":{"status":403,"message":"Not now","reason":"PREMIUM_REQUIRED"}}"#))
    let request = Resolver.PlayOnDevice(plugin: "spotify", described: [Self.wanted])
    let refusal = await accounts.resolver.refusal(of: request)
    #expect(refusal?.code == "resolver.deviceRefused" && refusal?.message.contains("Premium") == true)
    #expect(refusal?.cause == "Not now")
    await accounts.close()
  }

  @Test func aDeviceThatTakesOrdersIsChosenBeforeOthersAndAPageLast() {
    func device(_ kind: String, _ name: String = "D", active: Bool = false, restricted: Bool = false) -> Resolver.Device
    {
      .init(id: "\(kind)\(name)", name: name, kind: kind, isActive: active, isRestricted: restricted)
    }
    let page = device("computer", "Web Player (Firefox)", active: true)
    let (tv, cast) = (device("tv"), device("castaudio", active: true))
    let (speaker, phone, computer) = (device("speaker"), device("smartphone"), device("computer"))
    func chosen(_ devices: Resolver.Device...) -> String? { SpotifyDevices.choose(devices)?.id }
    #expect(chosen(page, tv, cast, speaker, phone, computer) == computer.id)
    #expect(chosen(page, tv, cast, speaker, phone) == phone.id)
    #expect(chosen(page, tv, cast, speaker) == speaker.id)
    #expect(chosen(page, tv, cast) == cast.id && chosen(page, tv) == tv.id && chosen(page) == page.id)
    #expect(chosen(device("computer", restricted: true), tv) == tv.id && chosen() == nil)
    #expect(chosen(device("speaker", restricted: true)) == "speakerD")
  }

  @Test func onlyTheNamesOfTracksAreSentToSpotify() {
    #expect(SpotifyDevices.uri(Self.uri) == Self.uri && SpotifyDevices.uri("4uLU6hMCjMI75M1A2tKUQC") == Self.uri)
    #expect(SpotifyDevices.uri("spotify:album:4uLU6hMCjMI75M1A2tKUQC") == nil && SpotifyDevices.uri("x") == nil)
    #expect(SpotifyDevices.uri(nil) == nil)
  }
}
