import Messages
import Model
import Testing

/// The packed messages between the library and its tag reader.
@Suite struct TagReadingTests {
  private let files = [
    TagReading.File(name: Array("1.flac".utf8), size: 5_000_000_000),
    TagReading.File(name: [0xFF, 0xE9], size: 0, encoding: 2),
  ]

  @Test func requestsAreReadAsTheyWereSent() {
    for request in [TagReading.Request.tags(files), .picture(files[0]), .lyrics(files[0]), .allTags(files[0])] {
      #expect(TagReading.Request(request.bytes) == request)
    }
  }

  @Test func answersAreReadAsTheyWereSent() {
    var answer = TagReading.Answer(.unreadable)
    (answer.systemError, answer.duration, answer.isLossless) = (13, 180_000, true)
    (answer.hasLyrics, answer.isHybrid, answer.audioDigest) = (true, true, .max - 5)
    answer.isTruncated = true
    answer.text = Array("TITLE\0One\0".utf8)
    answer.audio = AudioProperties(codec: "dsd", bitRate: 22_579, sampleRate: 11_289_600, bitDepth: 1, channels: 6)
    // A second answer follows in the same file.
    var rest = (answer.bytes + TagReading.Answer(.broken).bytes)[...]
    let (first, second) = (TagReading.Answer(&rest), TagReading.Answer(&rest))
    #expect(first == answer && second == TagReading.Answer(.broken))
    #expect(rest.isEmpty)
  }

  @Test func whatIsNoMessageIsRefused() {
    let request = TagReading.Request.tags(files).bytes
    for count in 1..<request.count where TagReading.Request(Array(request.prefix(count))) != nil {
      // Only the first file is whole.
      #expect(count == 18)
    }
    #expect(TagReading.Request([2] + request.dropFirst()) == nil && TagReading.Request([]) == nil)
    let many = Array(repeating: files[0], count: TagReading.fileLimit + 1)
    #expect(TagReading.Request(TagReading.Request.tags(many).bytes) == nil)
    var answer = TagReading.Answer(.read)
    answer.text = [65]
    answer.audio.codec = "flac"
    for count in 0..<answer.bytes.count {
      var rest = answer.bytes.prefix(count)
      let read = TagReading.Answer(&rest)
      #expect(read == nil && rest.count == count)
    }
    var unknown = answer.bytes[...]
    unknown[4] = 9
    let read = TagReading.Answer(&unknown)
    #expect(read == nil)
  }

  @Test func lyricsComeBackAsTheyWere() {
    let lyrics = [
      TagReading.Lyrics(language: "eng", text: "[00:01.000]La\nla"), TagReading.Lyrics(language: "", text: "Ré"),
    ]
    let bytes = TagReading.bytes(of: lyrics)
    #expect(TagReading.lyrics(bytes) == lyrics)
    #expect(TagReading.lyrics(Array(bytes.dropLast())) == [lyrics[0]])
    let long = TagReading.Lyrics(language: "", text: String(repeating: "a", count: TagReading.lyricsLimit))
    #expect(TagReading.lyrics(TagReading.bytes(of: [lyrics[0], long, lyrics[1]])) == lyrics)
  }

  @Test func allTagsComeBackAsTheyWere() {
    var all = TagReading.AllTags()
    all.append(kind: "ID3v2.4", name: "TIT2", value: "Ré")
    all.append(kind: "ID3v2.4", name: "APIC", value: "image/png", length: 70)
    #expect(TagReading.AllTags(all.bytes) == all)
    #expect(TagReading.AllTags(Array(all.bytes.dropLast())).tags == [all.tags[0]])
    #expect(TagReading.AllTags([]) == TagReading.AllTags())
  }

  @Test func longValuesAreCutBetweenCharactersAndTheirLengthIsSaid() {
    var all = TagReading.AllTags()
    let long = String(repeating: "a", count: TagReading.shownValueLimit - 1) + "é" + "rest"
    all.append(kind: "APE", name: "Comment", value: long)
    #expect(all.tags[0].value == String(repeating: "a", count: TagReading.shownValueLimit - 1))
    #expect(all.tags[0].length == long.utf8.count)
    for _ in 0..<20 { all.append(kind: "APE", name: "Comment", value: long) }
    #expect(all.bytes.count <= TagReading.allTagsLimit + 10)
    #expect(all.omitted == 21 - all.tags.count && all.omitted > 0)
    #expect(TagReading.AllTags(all.bytes) == all)
  }
}
