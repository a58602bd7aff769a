import System
import Testing

struct MD5Tests {
  /// RFC 1321, section A.5, and the example of the Subsonic interface.
  @Test(arguments: [
    ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
    (
      "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
      "57edf4a22be3c955ac49da2e2107b67a"
    ),
    ("sesamec19b2d", "26719a1196d2a940705a59634eb18eab"), ("Ärger", "36fd9a06f9d62c2c47a807cb1219f6c6"),
  ])
  func digestsAreThoseOfTheStandard(_ text: String, _ digest: String) throws { #expect(try MD5.hex(text) == digest) }
}
