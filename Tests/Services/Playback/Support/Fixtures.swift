import Messages
import Model
import TestSupport
import Testing

extension QueueItem {
  /// An item for tests; different numbers give different items.
  static func numbered(_ number: Int, path: LocalPath? = nil, seconds: Double = 60, host: String = "here") -> QueueItem
  {
    QueueItem(
      entry: EntryID(rawValue: "entry-\(number)"),
      track: Track(
        id: TrackID(source: "files", native: "t\(number)"), albumID: AlbumID(source: "files", native: "a"),
        title: "Title \(number)", artist: "Artist", albumArtist: "Artist", album: "Album", number: number,
        duration: Milliseconds(seconds: seconds)),
      path: path, host: path == nil ? nil : host, origin: Origin(node: "test@main"))
  }
}

extension RoomName {
  static let kitchen = RoomName(from: "kitchen")
}

/// Runs each test of a suite while no other test of the process plays.
struct ExclusivePlayer: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    if testCase == nil { return try await function() }
    try await PlayerTurns.alone(function)
  }
}

extension Trait where Self == ExclusivePlayer {
  /// No other test of the process plays meanwhile.
  static var exclusivePlayer: Self { ExclusivePlayer() }
}

/// Tests that play, one after the other: each needs real time for its sound.
@Suite(.serialized) struct RealSound {}
