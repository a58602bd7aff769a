import Testing

@testable import lunara_scrobble

struct LastFMSignatureTests {
  @Test func theDocumentedExampleIsMatched() throws {
    let parameters = ["api_key": "xxxxxxxxxx", "method": "auth.getSession", "token": "yyyyyy"]
    #expect(try LastFMAPI.signature(of: parameters, secret: "ilovecher") == "b87d61da3cda91a8b6746c4aef55d6f8")
  }

  @Test func aBatchOfTwelveIsSignedByTheBytesOfItsNames() throws {
    var parameters = [
      "api_key": "0123456789abcdef0123456789abcdef", "sk": "d580d57f32848f5dcf574d1ce18d78b2",
      "method": "track.scrobble",
    ]
    for index in 0..<12 {
      parameters["artist[\(index)]"] = "Artist \(index)"
      parameters["track[\(index)]"] = "Träck \(index)"
      parameters["timestamp[\(index)]"] = "\(1_700_000_000 + 240 * index)"
    }
    #expect(try LastFMAPI.signature(of: parameters, secret: "secret") == "a6246c44125ed5d53b3bdec6a1a5bc89")
  }

  @Test func theFormatTheCallbackAndTheSignatureItselfAreNotSigned() throws {
    var parameters = ["api_key": "k", "method": "m"]
    let plain = try LastFMAPI.signature(of: parameters, secret: "s")
    parameters["format"] = "json"
    parameters["callback"] = "c"
    parameters["api_sig"] = plain
    #expect(try LastFMAPI.signature(of: parameters, secret: "s") == plain)
    parameters["sk"] = "x"
    #expect(try LastFMAPI.signature(of: parameters, secret: "s") != plain)
  }
}
