import Model
import Storage
import Testing

@Suite struct SQLValueTests {
  /// Stores a value and returns it as it is read.
  private func roundTrip<T: SQLBindable & SQLReadable & Sendable>(_ value: T) async throws -> T {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    try await database.add(value)
    let read: T? = try await database.read { try $0.row("SELECT text FROM word") { try $0.value(0) } }
    await database.close()
    return try #require(read)
  }

  @Test(arguments: ["", "hello", "a\0b\0", "\0", "Sigur Rós – Ágætis byrjun", "👩‍👩‍👧 𝄞", "'; DROP TABLE word; --"])
  func textComesBackExactly(_ text: String) async throws {
    #expect(try await roundTrip(text).utf8.elementsEqual(text.utf8))
  }

  @Test(arguments: [[], [0], Array(0...255), [0xff, 0xfe, 0]] as [[UInt8]])
  func bytesComeBackExactly(_ bytes: [UInt8]) async throws {
    #expect(try await roundTrip(bytes) == bytes)
  }

  @Test func valuesOfAnyLengthsComeBackFromOneStatement() async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    // Longer than the buffer that a statement keeps between two runs, and shorter again.
    let lengths = [0, 1, 300, 0, 20_000, 7, 100_000, 3]
    let read = try await database.write { transaction in
      try lengths.flatMap { length in
        try transaction.execute(
          "INSERT INTO word (text) VALUES (?1 || '-' || CAST(?2 AS TEXT) || '-' || ?3)",
          values: [.text(String(repeating: "é", count: length)), .blob(Array(repeating: 98, count: length)), .text("")])
        return try transaction.rows("SELECT text FROM word WHERE text > ? ORDER BY id DESC LIMIT 1", "") {
          try $0.value(0) as String
        }
      }
    }
    #expect(
      read == lengths.map { String(repeating: "é", count: $0) + "-" + String(repeating: "b", count: $0) + "-" })
    await database.close()
  }

  @Test(arguments: [0, 1, -1, .max, .min, 1 << 53 + 1] as [Int64])
  func wholeNumbersComeBackExactly(_ number: Int64) async throws {
    #expect(try await roundTrip(number) == number)
    #expect(try await roundTrip(Int(number)) == Int(number))
    #expect(try await roundTrip(Milliseconds(number)) == Milliseconds(number))
    #expect(try await roundTrip(Timestamp(microseconds: number)) == Timestamp(microseconds: number))
  }

  @Test(arguments: [0, -0.0, 0.1, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 1e15])
  func floatingPointNumbersComeBackExactly(_ number: Double) async throws {
    #expect(try await roundTrip(number) == number)
  }

  @Test func idsPathsNamesAndFlagsComeBack() async throws {
    let album = AlbumID(source: "plex", native: "4:7 é")
    #expect(try await roundTrip(album) == album)
    let entry = EntryID.random()
    #expect(try await roundTrip(entry) == entry)
    let path = LocalPath(bytes: [47, 0xff, 0xfe, 65])
    #expect(try await roundTrip(path) == path)
    let room = try #require(RoomName("kitchen"))
    #expect(try await roundTrip(room) == room)
    #expect(try await roundTrip(true))
    #expect(try await !roundTrip(false))
    #expect(try await roundTrip(SQLValue.null) == .null)
  }

  @Test func nilIsNullAndNullIsNil() async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    let nothing: Timestamp? = nil
    try await database.add(nothing)
    let isNull = try await database.read {
      try $0.row("SELECT text IS NULL, text FROM word") { try $0.value(0) as Bool }
    }
    #expect(isNull == true)
    let read: Timestamp?? = try await database.read { try $0.row("SELECT text FROM word") { try $0.value(0) } }
    #expect(read == .some(.none))
    await database.close()
  }

  @Test func notANumberIsRefused() async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    #expect(await code { try await database.add(Double.nan) } == "storage.misuse")
    #expect(try await database.words() == [])
    await database.close()
  }

  @Test func aColumnOfAnotherKindIsAnErrorThatNamesIt() async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    try await database.add("seven")
    let wrong = await #expect(throws: LunaraError.self) {
      _ = try await database.read { try $0.row("SELECT text FROM word") { try $0.value(0) as Int } }
    }
    #expect(wrong?.code == "storage.unexpectedValue")
    #expect(wrong?.message.contains("text") == true)
    #expect(wrong?.message.contains(folder.file()) == true)
    let null = await code {
      _ = try await database.read { try $0.row("SELECT NULL") { try $0.value(0) as Int } }
    }
    #expect(null == "storage.unexpectedNull")
    let missing = await code {
      _ = try await database.read { try $0.row("SELECT 1") { try $0.value(1) as Int } }
    }
    #expect(missing == "storage.misuse")
    await database.close()
  }
}
