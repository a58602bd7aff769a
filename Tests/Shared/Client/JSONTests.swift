import Client
import Model
import Testing

/// JSON is printed in the order written, complete, and without control characters.
struct JSONTests {
  @Test func membersKeepTheirOrderAndWhatIsAbsentIsNull() {
    let json = JSON.object(["z": .count(1), "a": .text(nil as String?), "list": .array([.bool(true), .number(1.5)])])
    #expect("\(json)" == #"{"z":1,"a":null,"list":[true,1.5]}"#)
    #expect("\(json.with("more", .null))" == #"{"z":1,"a":null,"list":[true,1.5],"more":null}"#)
  }

  @Test func whatIsAbsentIsLeftOutForThePageButWhatIsNullIsNot() {
    let json = JSON.object(["a": .text(nil as String?), "b": .text(nil as String?).orNull, "c": .seconds(nil)])
    #expect(String(decoding: json.bytes(.leftOut), as: UTF8.self) == #"{"b":null}"#)
    #expect("\(json)" == #"{"a":null,"b":null,"c":null}"#)
  }

  @Test func textIsEscaped() {
    #expect("\(JSON.string("a\"b\\c\n\t\r\u{1}\u{7F}é雨"))" == #""a\"b\\c\n\t\r\u0001\u007fé雨""#)
  }

  @Test func secondsAreNumbers() {
    #expect("\(JSON.seconds(Milliseconds(1250)))" == "1.25")
    #expect("\(JSON.seconds(Milliseconds(60_000)))" == "60")
    #expect("\(JSON.seconds(nil))" == "null")
  }

  @Test func whatJSONCannotSayIsNull() {
    #expect("\(JSON.array([.number(.nan), .number(.infinity), .number(-0.5)]))" == "[null,null,-0.5]")
  }

  @Test func rawTextPassesThrough() {
    #expect("\(JSON.object(["payload": .raw(Array(#"{"b":1}"#.utf8))]))" == #"{"payload":{"b":1}}"#)
  }
}
