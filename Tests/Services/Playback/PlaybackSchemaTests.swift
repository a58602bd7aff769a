import ServiceKit
import TestSupport
import Testing

@testable import lunara_playback

@Suite struct PlaybackSchemaTests {
  /// After a new migration, run this test with LUNARA_WRITE_SCHEMAS=1.
  @Test func theSchemaFileIsWhatTheMigrationsMake() async throws {
    let (written, made) = try await GoldenSchema.texts(of: .playback, at: "Services/Playback/schema.sql")
    #expect(written == made)
  }
}
