import Foundation
import HTTP
import Messages
import Model
import Plugins
import TestSupport
import Testing

@testable import lunara_resolver

/// Each hostile plugin is stopped by what `docs/threat-model.md` says, and another plugin goes on beside it.
@Suite struct HostilePluginSuiteTests {
  private let wanted = DescribedTrack(title: "T", artist: "A")

  @Test(arguments: HostilePlugin.all) func aHostilePluginIsStoppedAndTheRestIsUnharmed(plugin: HostilePlugin)
    async throws
  {
    let resolver = try await TestResolver { request in
      switch request.path {
      case "/redirect": (302, "http://127.0.0.1:1/")
      case "/large": (200, String(repeating: "x", count: 20 << 20))
      default: (200, "[]")
      }
    }
    try await resolver.install(plugin.id, ["resolve": plugin.function])
    try await resolver.install("victim", ["resolve": "async () => ({ title: 'T', artist: 'A', id: 'fine' })"])
    let usable = try await resolver.service.registry.usable(plugin.id)
    let result: Result<PluginValue, LunaraError>
    do {
      result = .success(try await usable.call("resolve", [.text("A"), .text("T"), .null], within: plugin.deadline))
    } catch { result = .failure(LunaraError(error)) }
    try await check(plugin, result, usable)
    let victim = try await resolver.service.registry.usable("victim")
    let answer = try await victim.call("resolve", [.text("A"), .text("T"), .null], within: .seconds(30))
    #expect(SourceAnswers.track(answer, of: "victim", for: wanted)?.source.sourceID == "fine")
    await resolver.close()
  }

  private func check(
    _ plugin: HostilePlugin, _ result: Result<PluginValue, LunaraError>, _ usable: PluginRegistry.Usable
  ) async throws {
    var track: FoundTrack? {
      guard case .success(let value) = result else { return nil }
      return SourceAnswers.track(value, of: plugin.id, for: wanted)
    }
    switch plugin.expectation {
    case .fails(let code):
      guard case .failure(let error) = result else { return #expect(Bool(false), "\(result)") }
      #expect(error.code.hasPrefix(code), "\(error)")
    case .refuses(let words):
      guard case .failure(let error) = result else { return #expect(Bool(false), "\(result)") }
      #expect(error.code == "resolver.pluginFailed" && error.cause?.contains("may not be asked") == true, "\(error)")
      let log = await usable.runner.log
      #expect(log.contains { $0.contains(words) }, "\(log)")
    case .answersUnlessItIsEnded(let id):
      // The engine gives up by itself, where the machine is quick enough before its time is over.
      if case .failure(let error) = result {
        #expect(error.code == "resolver.pluginEnded", "\(error)")
      } else {
        #expect(track?.source.sourceID == id, "\(result)")
      }
    case .answers(let id): #expect(track?.source.sourceID == id, "\(result)")
    case .givesNoStream: #expect(track != nil && track?.stream == nil && track?.isStream == false)
    case .givesTitle(let title): #expect(track?.source.title == title)
    case .givesConfidence(let confidence): #expect(track?.source.confidence == confidence)
    case .harmless: break
    }
    #expect(await usable.runner.log.count <= 100)
  }

  @Test func theThreatModelListsEachOfThem() throws {
    let page = try page("threat-model")
    #expect(HostilePlugin.all.count >= 40)
    for plugin in HostilePlugin.all { #expect(page.contains("| `\(plugin.id)` |"), "\(plugin.id)") }
  }
}
