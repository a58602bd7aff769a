import Glibc
import HTTP
import Model
import ServiceKit
import TestSupport
import Testing

extension SystemTests {
  /// `lunara-media` as a process without any other service.
  @Suite struct MediaProcessTests {
    @Test func whatTheLibraryGaveOnceIsServedWithoutItAndAfterEachEnd() async throws {
      let household = try Household(.init())
      let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
      try Folder.make(household.home + "/music")
      let file = household.home + "/music/01.flac"
      try Folder.write(bytes, to: file)
      let seal = MediaSeal(store: CredentialStore(home: household.home))
      let link = MediaLink(
        file: LocalPath(file), duration: Milliseconds(180_000),
        expires: Timestamp(seconds: Timestamp.now().seconds + 3600))
      let address = try #require(household.environment["LUNARA_MEDIA"])
      let url = "http://\(address)" + (try seal.target(of: link, named: "files:t1"))
      let client = HTTPClient(userAgent: "tests")
      for turn in 0..<4 {
        let service = try ChildProcess([try Programs.lunara("lunara-media")], environment: household.environment)
        let from = turn * 70_000
        let answer = try await soon("it serves") { () -> HTTPResponse? in
          do {
            return try await client.send(HTTPRequest(.reads, url: url, headers: [("Range", "bytes=\(from)-")]))
          } catch {
            #expect(LunaraError(error).code == "http.unreachable")
            return nil
          }
        }
        #expect(answer.status == 206 && answer.body == Array(bytes[from...]))
        #expect(try await household.json("status").nodes.elements.map(\.role.asString) == ["media"])
        await service.kill()
      }
    }
  }
}
