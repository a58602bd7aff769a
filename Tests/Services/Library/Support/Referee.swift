import FoundationEssentials
import Messages
import TestSupport
import Testing

/// An unmodified client of others, which reads what a stand-in has. The clients are in `.build/python`, where
/// `deploy/setup test pypi` puts them.
enum Referee {
  /// Runs `Tests/Support/Servers/liked.py` and returns the albums that it printed, each with its rating.
  static func liked(_ words: [String]) async throws -> [String: Double?] {
    let root = "/" + #filePath.split(separator: "/").dropLast(5).joined(separator: "/")
    let (home, files) = (TemporaryDirectory(), "\(root)/Tests/Support/Servers/liked.py")
    let output = "\(home.path)/output"
    let program = try TestProgram(["\(root)/.build/python/bin/python", "-B", files] + words, output: output)
    let text = try await finished(output)
    program.end()
    let albums = try #require(JSONView(Array(text.utf8))?["albums"], "the referee said: \(text)").elements
    return Dictionary(albums.compactMap { row in row["title"]?.string.map { ($0, row["rating"]?.number) } }) { $1 }
  }

  /// Returns the first line of a file once it is whole.
  private static func finished(_ path: String) async throws -> String {
    var text = ""
    let isWhole = await eventually {
      do { text = try String(contentsOfFile: path, encoding: .utf8) } catch { return false }
      return text.contains("\n")
    }
    try #require(isWhole, "the referee said nothing: run deploy/setup test pypi")
    return text
  }
}
