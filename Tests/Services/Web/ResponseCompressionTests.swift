import HTTP
import Messages
import Model
import Testing

@testable import lunara_web

@Suite struct ResponseCompressionTests {
  private let compressor = ResponseCompressor()
  private let wanting = HTTPServerRequest(path: "/", headers: [("Accept-Encoding", "gzip, br")])
  private let plain = HTTPServerRequest(path: "/")

  private func header(_ name: String, of answer: HTTPServerResponse) -> String? {
    answer.headers.first { $0.0 == name }?.1
  }

  private func count(_ answer: HTTPServerResponse) -> Int {
    if case .bytes(let bytes) = answer.body { bytes.count } else { 0 }
  }

  private func endpoint(_ name: String) throws -> Endpoint {
    try #require(Endpoint.all.first { $0.name == name })
  }

  @Test func aFileOfThePageIsSmallForWhoTakesItAndEachOfBothHasItsTag() throws {
    let file = try #require(try PageFiles.ofThisProgram()["app.js"])
    let (small, large) = (
      try compressor.response(with: file, to: wanting), try compressor.response(with: file, to: plain)
    )
    #expect(count(small) < count(large))
    #expect(count(large) == file.size)
    #expect(header("Content-Encoding", of: small) == "gzip")
    #expect(header("Content-Encoding", of: large) == nil)
    #expect(header("Vary", of: small) == "Accept-Encoding" && header("Vary", of: large) == "Accept-Encoding")
    #expect(header("ETag", of: large) == file.tag)
    #expect(header("ETag", of: small) == "\(file.tag.dropLast()).gz\"")
  }

  @Test func allFilesButTheSettingsAreTogetherUnderTheLimit() throws {
    let files = try PageFiles.ofThisProgram()
    // A browser loads the other parts of the fonts only for letters that the first ones lack, the code of these folders
    // only where somebody opens or sees it, and the description of the interface never by itself.
    let later = [
      "api/", "settings/", "playlists/", "plugins/", "discovery/", "rediscovery/", "themes/", "garden/", "find/",
      "statistics/", "articles/", "ambient/", "phone/",
    ]
    let names = files.names.filter { name in
      !name.hasSuffix("-other.woff2") && !later.contains(where: name.hasPrefix)
    }
    let sum = try names.compactMap { files[$0] }.map { count(try compressor.response(with: $0, to: wanting)) }
      .reduce(0, +)
    #expect(sum < 150_000, "\(sum) bytes")
  }

  @Test func aLongAnswerAboutMusicIsCompressedAndAShortOneIsNot() throws {
    let albums = try endpoint("listAlbums")
    let long = HTTPServerResponse(text: String(repeating: "[1]", count: 4000), contentType: "application/json")
    let compressed = compressor.compress(long, of: albums, to: wanting)
    #expect(count(compressed) < 1000)
    #expect(header("Content-Encoding", of: compressed) == "gzip")
    #expect(header("Vary", of: compressor.compress(long, of: albums, to: plain)) == "Accept-Encoding")
    #expect(count(compressor.compress(long, of: albums, to: plain)) == 12_000)
    let short = HTTPServerResponse(text: "[]", contentType: "application/json")
    #expect(compressor.compress(short, of: albums, to: wanting).headers.count == 1)
  }

  @Test func whatTellsOfAccountsOrAnswersACommandOrIsAPictureStaysAsItIs() throws {
    let text = String(repeating: "[1]", count: 4000)
    let long = HTTPServerResponse(text: text, contentType: "application/json")
    for name in ["listSources", "readStatus", "readSession", "listAccounts", "readSignIn", "editQueue", "play"] {
      #expect(compressor.compress(long, of: try endpoint(name), to: wanting).headers.count == 1, "\(name)")
    }
    let albums = try endpoint("listAlbums")
    let picture = HTTPServerResponse(text: text, contentType: "image/jpeg")
    #expect(compressor.compress(picture, of: albums, to: wanting).headers.count == 1)
    let error = HTTPServerResponse(status: 404, text: text, contentType: "application/json")
    #expect(compressor.compress(error, of: albums, to: wanting).headers.count == 1)
    let card = HTTPServerResponse(text: text, contentType: "image/svg+xml")
    #expect(compressor.compress(card, of: try endpoint("drawCard"), to: wanting).headers.count == 1)
  }
}
