import Model
import Testing

@testable import lunara

/// The shape of queues, and the places that are counted from 1.
struct QueueShapeTests {
  private let entry = "0123456789abcdefghjk"
  private var view: QueueView {
    QueueView(
      room: RoomName(from: "den"), current: 1, items: [Sample.item("e1", "One"), Sample.item(entry, "Two")],
      position: Milliseconds(1500))
  }

  @Test func theShape() {
    let first =
      #"{"entry":"e1","place":1,"id":"files:t-e1","title":"One","artist":"Nova","album":"Night Lines","#
      + #""albumID":"files:a1","durationSeconds":60}"#
    let json = "\(view.json)"
    #expect(json.hasPrefix(#"{"room":"den","current":1,"items":["# + first))
    #expect(json.hasSuffix(#"],"positionSeconds":1.5,"order":null,"repeat":null,"continues":false}"#))
    let empty = QueueView(room: RoomName(from: "den"), current: nil, items: [], position: .zero)
    #expect(
      "\(empty.json)"
        == #"{"room":"den","current":null,"items":[],"positionSeconds":0,"order":null,"repeat":null,"continues":false}"#
    )
  }

  @Test func placesCountFromOneAndEntriesDoAsWell() throws {
    #expect(try view.place("1") == 0 && view.place("2") == 1)
    #expect(try view.place(entry) == 1)
  }

  @Test func aPlaceThatIsNotThereIsRefused() {
    for word in ["0", "3", "-1", "zzzzzzzzzzzzzzzzzzzz", "zzzzzzzzzzzzzzzzzzzz-17"] {
      #expect(throws: LunaraError.self) { try view.place(word) }
    }
    #expect(throws: UsageError.self) { try view.place("two") }
  }

  @Test func theTableMarksWhatPlays() {
    #expect(
      view.table.text(for: Printed().console())
        == "\t1\tOne\tNova\tNight Lines\t1:00\n▶\t2\tTwo\tNova\tNight Lines\t0:01 / 1:00\n")
  }
}
