import ServiceKit
import TestSupport
import Testing

@testable import Catalogue

@Suite struct LibrarySchemaTests {
  /// After a new migration, run this test with LUNARA_WRITE_SCHEMAS=1.
  @Test func theSchemaFileIsWhatTheMigrationsMake() async throws {
    let (written, made) = try await GoldenSchema.texts(of: .library, at: "Services/Library/Catalogue/Store/schema.sql")
    #expect(written == made)
  }
}
