import HTTP
import ListFiles
import Messages
import Model

/// Reads list files at addresses on the network, which people find anywhere, so nothing of a private network is read.
struct ListFileDownload {
  /// The most tracks of a list at an address.
  static let mostTracks = 500
  private static let longest = 4 << 20
  /// The largest size of an answer on the bus, less some room.
  private static let answerLimit = 200_000

  let http: HTTPClient
  /// False only in tests, whose servers are on this machine.
  var refusesPrivateAddresses = true

  /// Reads a list. Throws `library.badListFile`, `library.listFileTooLarge`, and the errors of `HTTPClient.send`.
  func read(_ address: String) async throws -> Library.ListFileContents {
    let response = try await http.send(
      HTTPRequest(
        .reads, url: address, timeout: .seconds(20), responseLimit: Self.longest,
        refusesPrivateAddresses: refusesPrivateAddresses))
    guard response.status == 200 else {
      throw LunaraError(
        "library.badListFile", "There is no playlist at \(address): the server answered with \(response.status).")
    }
    let name = address.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last.map(String.init) ?? address
    let list = try ListFile(response.body, name: name)
    let contents = Library.ListFileContents(
      title: list.title, summary: list.summary, tracks: list.tracks,
      problems: list.problems.prefix(20).map { "Entry \($0.place): \($0.reason)" })
    guard list.tracks.count <= Self.mostTracks, try MessageCoding.encode(contents).count <= Self.answerLimit else {
      throw LunaraError(
        "library.listFileTooLarge",
        "The list at \(address) is too long: from an address at most \(Self.mostTracks) tracks are read. Download it and import the file."
      )
    }
    return contents
  }
}
