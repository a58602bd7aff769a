import HTTP
import Messages
import Model

/// Reads from Wikipedia and Wikidata, through the interface that both have (mediawiki.org/wiki/API:Main_page). The
/// HTTP client exists only while something is read.
actor WikipediaClient {
  /// The addresses of the servers; `LANG` stands for the language.
  struct Addresses: Sendable {
    var wikipedia = "https://LANG.wikipedia.org"
    var wikidata = "https://www.wikidata.org"
  }

  /// The largest answer that is read, in bytes.
  private static let mostBytes = 512 * 1024
  /// The most pages of a search.
  private static let mostFound = 15

  private let addresses: Addresses
  private let userAgent: String
  private let deadline: Duration
  private var http: HTTPClient?
  /// The time before which a server asked not to be asked again.
  private var quietUntil: Timestamp?

  /// - Parameters:
  ///   - contact: how Wikipedia can reach those who wrote or use this program, as it asks for.
  ///   - deadline: the time that an answer may take.
  init(_ addresses: Addresses = Addresses(), contact: String?, deadline: Duration = .seconds(20)) {
    self.addresses = addresses
    self.deadline = deadline
    userAgent = "Lunara/\(LunaraVersion.current) (\(contact ?? "a household's own player"))"
  }

  /// - Parameter setting: returns the value of a setting by its name.
  init(setting: (String) -> String?) {
    var addresses = Addresses()
    if let address = setting("LUNARA_WIKIPEDIA_URL") { addresses.wikipedia = address }
    if let address = setting("LUNARA_WIKIDATA_URL") { addresses.wikidata = address }
    self.init(addresses, contact: setting("LUNARA_MUSICBRAINZ_CONTACT"))
  }

  // The following functions throw `discovery.articleAway`, `discovery.articleUnreadable`, `CancellationError`.

  /// Returns the page about an entity of Wikidata in the first of these languages that has one; nil if none has.
  func page(about entity: String, in languages: [String]) async throws -> (title: String, language: String)? {
    let sites = languages.map(WikiLanguage.site).joined(separator: "%7C")
    let answer = try await read(
      addresses.wikidata,
      "/w/api.php?action=wbgetentities&ids=\(entity)&props=sitelinks&sitefilter=\(sites)&format=json", "Wikidata")
    guard let entities = answer["entities"], entities.isObject else { throw Self.unreadable("Wikidata") }
    guard let found = entities.members.first?.value else { throw Self.unreadable("Wikidata") }
    if found["missing"] != nil { return nil }
    guard let sites = found["sitelinks"] else { throw Self.unreadable("Wikidata") }
    let links = sites.members
    for language in languages {
      let link = links.first { $0.name == WikiLanguage.site(language) }
      if let title = WikiPage.title(link?.value["title"]?.string) { return (title, language) }
    }
    return nil
  }

  /// Returns the page with a title, or the one to which it leads; nil if there is none.
  func page(_ title: String, in language: String) async throws -> WikiPage? {
    try await pages("titles=\(Self.escaped(title))&redirects=1", 1, in: language).first
  }

  /// Returns the pages that a search for words finds, the best first.
  func search(_ words: String, in language: String) async throws -> [WikiPage] {
    try await pages(
      "generator=search&gsrsearch=\(Self.escaped(words))&gsrnamespace=0&gsrlimit=\(Self.mostFound)", Self.mostFound,
      in: language)
  }

  private func pages(_ which: String, _ most: Int, in language: String) async throws -> [WikiPage] {
    let answer = try await read(
      addresses.wikipedia.replacing("LANG", with: language),
      "/w/api.php?action=query&\(which)&prop=extracts%7Cdescription%7Cpageprops&ppprop=disambiguation&exintro=1"
        + "&explaintext=1&exlimit=\(most)&format=json&formatversion=2", "Wikipedia")
    guard answer["batchcomplete"] != nil || answer["query"]?.isObject == true else {
      throw Self.unreadable("Wikipedia", cause: answer["error"]?["code"]?.string.map { OutsideAccess.shown($0) })
    }
    // An answer without a query found nothing.
    guard let query = answer["query"] else { return [] }
    guard let rows = query["pages"].flatMap({ $0.isArray ? $0.elements.prefix(most) : nil }),
      rows.allSatisfy({ $0["title"]?.string != nil }),
      rows.allSatisfy({ $0["missing"] != nil || $0["invalid"] != nil })
        || rows.contains(where: { $0["extract"] != nil })
    else { throw Self.unreadable("Wikipedia") }
    return rows.compactMap { row in WikiPage(row).map { (row["index"]?.integer ?? 0, $0) } }
      .sorted { $0.0 < $1.0 }.map(\.1)
  }

  private func read(_ address: String, _ path: String, _ name: String) async throws -> JSONView {
    let now = Timestamp.now()
    if let quietUntil, quietUntil > now, quietUntil.seconds - now.seconds <= Ages.day {
      throw Self.away(name, "it asked for a pause")
    }
    guard let url = HTTPBaseAddress(address)?.url(path) else { throw Self.away(name, "its address is malformed") }
    let client = http ?? HTTPClient(userAgent: userAgent)
    http = client
    let response: HTTPResponse
    do {
      response = try await client.send(
        HTTPRequest(
          .reads, url: url, headers: [("Accept", "application/json")], timeout: deadline, responseLimit: Self.mostBytes,
          redirectLimit: 0))
    } catch let error as LunaraError {
      switch error.code {
      case "http.tooManyRedirects", "http.redirectRefused":
        throw Self.unreadable(name, cause: "it redirects to another address, which is not followed")
      case "http.tooLarge": throw Self.unreadable(name, cause: "it sent more than \(Self.mostBytes >> 10) KiB")
      default: throw Self.away(name, error.message)
      }
    }
    switch response.status {
    case 200:
      guard let view = JSONView(response.body), view.isObject else {
        let text = String(decoding: response.body.prefix(400), as: UTF8.self)
        throw Self.unreadable(name, cause: "it is no JSON: \(OutsideAccess.shown(text))")
      }
      return view
    case 429, 503:
      let pause = response.retryAfter(now: Int(now.seconds)).map { $0.components.seconds } ?? 60
      quietUntil = Timestamp(seconds: now.seconds + max(1, pause))
      throw Self.away(name, "it answered \(response.status)")
    default: throw Self.away(name, "it answered \(response.status)")
    }
  }

  /// Ends the client after a search.
  func release() { http = nil }

  static func away(_ name: String, _ cause: String) -> LunaraError {
    LunaraError(
      "discovery.articleAway", "\(name) cannot be read now. Check the network, or try again later.", cause: cause)
  }

  static func unreadable(_ name: String, cause: String? = nil) -> LunaraError {
    LunaraError(
      "discovery.articleUnreadable", "The answer of \(name) cannot be used. Nothing was changed; try again later.",
      cause: cause)
  }

  /// Returns a text as a part of an address: all but letters, numbers and `-._~` as `%` and two digits.
  static func escaped(_ text: String) -> String {
    text.utf8.reduce(into: "") { escaped, byte in
      switch byte {
      case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
        escaped.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        escaped += "%" + (digits.count < 2 ? "0" : "") + digits
      }
    }
  }
}

/// The languages of Wikipedia, by the subdomains at which they are.
enum WikiLanguage {
  /// The most languages that a person may want.
  static let most = 5

  /// Returns true for a text that can be a language, such as `de`, `zh-yue` or `simple`.
  static func isValid(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count), text != "www",
      parts.allSatisfy({ (2...12).contains($0.count) && $0.allSatisfy { (97...122).contains($0) } })
    else { return false }
    return parts[0].count <= 3 || text == "simple"
  }

  /// Returns the name of a language's site at Wikidata, such as `dewiki`.
  static func site(_ language: String) -> String {
    switch language {
    case "nb": "nowiki"
    case "be-tarask": "be_x_oldwiki"
    default: language.replacing("-", with: "_") + "wiki"
    }
  }
}
