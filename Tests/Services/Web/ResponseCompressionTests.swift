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

  /// Returns the names of all files that a file of the page makes a browser load at once, itself included: those that a
  /// document links and that a style sheet names. The modules of the first screens are in one script. The other parts
  /// of the fonts are loaded only for letters that the first ones lack.
  private func loaded(by name: String, of files: PageFiles, among known: Set<String> = []) throws -> Set<String> {
    guard let file = files[name], !known.contains(name), !name.hasSuffix("-other.woff2") else { return known }
    var known = known.union([name])
    guard let ending = name.split(separator: ".").last, ["html", "js", "css"].contains(ending) else { return known }
    let links: Regex<(Substring, Substring)> =
      switch ending {
      case "html": /(?:href|src)="([^"#]+)"/
      case "js": /'([^']+\.(?:js|css))'(?!\))/
      default: /url\("([^"]+)"\)/
      }
    for match in String(decoding: try file.bytes(), as: UTF8.self).matches(of: links) {
      var folders = name.split(separator: "/").dropLast()
      for part in match.1.split(separator: "/") where part != "." {
        if part == ".." { folders = folders.dropLast() } else { folders.append(part) }
      }
      known = try loaded(by: folders.joined(separator: "/"), of: files, among: known)
    }
    return known
  }

  @Test func theFilesOfTheFirstScreensAreTogetherUnderTheLimit() throws {
    let files = try PageFiles.ofThisProgram()
    let names = try loaded(by: "index.html", of: files)
    #expect(names.isSuperset(of: ["app.js", PageBundle.styles, "fonts/serif-latin.woff2", "linen.svg"]))
    #expect(!names.contains("screens/home.js") && !names.contains("player/sheet.js"))
    let sum = try names.compactMap { files[$0] }.map { count(try compressor.response(with: $0, to: wanting)) }
      .reduce(0, +)
    #expect(sum < 135_000, "\(sum) bytes")
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
