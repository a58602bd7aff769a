import Model

/// An error answer of the protocol: `ACK [code@index] {command} message`.
struct CommandError: Error, Equatable {
  /// The codes of the protocol.
  enum Code: Int {
    case notList = 1
    case argument = 2
    case password = 3
    case permission = 4
    case unknown = 5
    case noExist = 50
    case queueFull = 51
    case system = 52
    case playerSync = 55
    case exists = 56
  }

  var code: Code
  var message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// Converts any error; those of the household keep their text.
  init(_ error: any Error) {
    if let error = error as? CommandError {
      self = error
      return
    }
    let error = LunaraError(error)
    self.init(Self.codes[error.code] ?? .system, error.message)
  }

  /// The codes for errors of the household that clients tell apart; all others are errors of the system.
  private static let codes: [String: Code] = [
    "library.unknownID": .noExist, "library.unknownEntry": .noExist, "library.unknownFolder": .noExist,
    "library.notEditable": .permission, "library.badPlaylist": .argument, "library.notRateable": .argument,
    "library.fileMissing": .noExist, "playback.noSuchItem": .noExist, "playback.nothingCurrent": .playerSync,
    "playback.badSetting": .argument, "playback.queueFull": .queueFull, "router.tooMany": .queueFull,
    "router.nothingToPlay": .noExist, "library.playlistFull": .queueFull, "client.roomUnknown": .noExist,
  ]

  /// Returns the line for clients.
  ///
  /// - Parameters:
  ///   - command: the name of the command; empty for one that does not exist.
  ///   - index: the place of the command in a list of commands, from 0.
  func line(command: String, index: Int) -> String {
    "ACK [\(code.rawValue)@\(index)] {\(command)} \(Reply.oneLine(message))\n"
  }

  static let badIndex = CommandError(.argument, "Bad song index")
  static let noSuchSong = CommandError(.noExist, "No such song")
  static let notPlaying = CommandError(.playerSync, "Not playing")
  static let noSuchDirectory = CommandError(.noExist, "No such directory")
  static let noSuchPlaylist = CommandError(.noExist, "No such playlist")
}
