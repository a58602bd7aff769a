import Bus
import Messages
import Model
import Synchronization
import Testing

@testable import lunara

/// Signing in for plugins, and playing on devices of one's own.
@Suite(.timeLimit(.minutes(1)))
struct PluginAccountCommandTests {
  private func plugin(isSignedIn: Bool) -> Resolver.Plugin {
    .init(
      id: "spotify", name: "Spotify", version: "1", digest: "ab", isEnabled: true,
      account: .init(
        service: "Spotify", isSignedIn: isSignedIn, name: isSignedIn ? "Ada" : nil,
        redirect: "http://127.0.0.1:8888/callback", page: "https://developer.spotify.com/dashboard"))
  }

  private func fixture(isSignedIn: Bool = false) async throws -> CommandFixture {
    let fixture = try CommandFixture()
    let node = try await fixture.add("resolver@main")
    await node.serve(Resolver.ListPlugins.self) { _, _ in .init(plugins: [plugin(isSignedIn: isSignedIn)]) }
    await node.serve(Resolver.FinishSignIn.self) { request, _ in
      fixture.record("finish \(request.plugin) \(request.redirect)")
      return plugin(isSignedIn: true)
    }
    await node.serve(Resolver.SignOut.self) { request, _ in
      fixture.record("sign out \(request.plugin)")
      return plugin(isSignedIn: false)
    }
    let device = Resolver.Device(id: "d1", name: "Phone", kind: "smartphone", isActive: true, isRestricted: false)
    await node.serve(Resolver.ListDevices.self) { _, _ in .init(devices: [device], chosen: "d1") }
    await node.serve(Resolver.PlayOnDevice.self) { request, _ in
      let tracks = request.described.map { "\($0.artist)/\($0.title)" }.joined(separator: " ")
      fixture.record("play \(tracks) on \(request.plugin) \(request.device ?? "-")")
      return .init(device: device, tracks: request.described.count)
    }
    return fixture
  }

  @Test func anAddressThatWasCopiedFinishesTheSignIn() async throws {
    let fixture = try await fixture()
    let address = "http://127.0.0.1:8888/callback?code=a&state=b"
    let (status, printed) = await fixture.run("login", "spotify", "--redirect", address)
    #expect(status == .done && printed.output == "Signed in as Ada at Spotify.\n")
    let (_, json) = await fixture.run("login", "spotify", "--redirect", address, "--json")
    #expect(json.output == #"{"state":"done","service":"spotify","account":"Ada"}"# + "\n")
    #expect(await fixture.run("logout", "spotify").1.output == "Signed out of spotify.\n")
    #expect(
      fixture.asked.withLock { $0 } == ["finish spotify \(address)", "finish spotify \(address)", "sign out spotify"])
    await fixture.close()
  }

  @Test func pluginsShowWhetherSomebodyIsSignedIn() async throws {
    var fixture = try await fixture()
    #expect(await fixture.run("plugins").1.output.contains("account: not signed in at Spotify"))
    let settings = await fixture.run("plugins", "settings", "spotify").1.output
    #expect(settings.contains("http://127.0.0.1:8888/callback") && settings.contains("lunara login spotify"))
    await fixture.close()
    fixture = try await self.fixture(isSignedIn: true)
    #expect(await fixture.run("plugins").1.output.contains("account: signed in at Spotify as Ada"))
    #expect(await fixture.run("plugins", "--json").1.output.contains(#""isSignedIn":true"#))
    await fixture.close()
  }

  @Test func aTrackIsPlayedOnADeviceAndNotInARoom() async throws {
    let fixture = try await fixture(isSignedIn: true)
    let words = ["play", "--artist", "Nova", "--title", "Tram", "--on", "spotify"]
    let (status, printed) = await fixture.run(words + ["--device", "Phone"])
    #expect(status == .done && printed.output == "1 track on Phone. That device sounds, not a room.\n")
    #expect(await fixture.run("plugins", "devices", "spotify").1.output.contains("Phone\tsmartphone"))
    #expect(await fixture.run(words + ["--next"]).0 == .wrongUsage)
    #expect(await fixture.run("play", "files:a3", "--device", "Phone").0 == .wrongUsage)
    #expect(fixture.asked.withLock { $0 } == ["play Nova/Tram on spotify Phone"])
    await fixture.close()
  }
}
