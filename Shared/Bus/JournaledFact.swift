import Model
import Storage

/// A fact as it stands in the journal.
struct JournaledFact: Sendable {
  var seq: Int64
  var epoch: Int64
  var id: String
  var kind: String
  var time: Timestamp
  var payload: [UInt8]
  /// Whom a replay recorded it of.
  var recordedOf: NodeID?

  init(seq: Int64, epoch: Int64, id: String, kind: String, time: Timestamp, payload: [UInt8]) {
    self.seq = seq
    self.epoch = epoch
    self.id = id
    self.kind = kind
    self.time = time
    self.payload = payload
  }

  init(row: borrowing Row) throws {
    seq = try row.value(0)
    epoch = try row.value(1)
    id = try row.value(2)
    kind = try row.value(3)
    time = Timestamp(microseconds: try row.value(4))
    payload = try row.value(5)
  }

  /// The fact's envelope when `node` sends it.
  func envelope(from node: NodeID, journal: String) -> Envelope {
    Envelope(
      id: id, node: node, epoch: epoch, seq: seq, time: time, kind: kind, journal: journal,
      recordedOf: recordedOf, payload: payload)
  }
}
