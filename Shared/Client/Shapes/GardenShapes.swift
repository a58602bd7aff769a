public import Messages
import Model

/// A value whose shape is the JSON of its message; members without a value are left out.
public protocol MessageShaped: Encodable {}

extension MessageShaped {
  /// The JSON of the message.
  ///
  /// - Throws: `bus.badPayload` for a value that JSON cannot express.
  public var json: JSON {
    get throws { .raw(try MessageCoding.encode(self)) }
  }
}

extension JSON {
  /// Returns an array with the JSON of each message.
  ///
  /// - Throws: `bus.badPayload` for a value that JSON cannot express.
  public static func list(_ values: some Sequence<some MessageShaped>) throws -> JSON {
    .array(try values.map { try $0.json })
  }
}

extension Library.Note: MessageShaped {}
extension Library.NotePage: MessageShaped {}
extension Library.NoteSession: MessageShaped {}
extension Library.NoteHistory: MessageShaped {}
extension Library.DueNotes: MessageShaped {}
extension Library.Mark: MessageShaped {}
extension Library.MarkPage: MessageShaped {}
extension Library.MarkExport: MessageShaped {}
extension Library.Todo: MessageShaped {}
extension Library.TodoPage: MessageShaped {}
extension Library.SuggestedTodo: MessageShaped {}
extension Library.SuggestedTodos: MessageShaped {}
extension Library.TodoWebhook: MessageShaped {}
extension Library.GardenSubject: MessageShaped {}
extension Library.GardenRecord: MessageShaped {}
extension Library.ThemeRecord: MessageShaped {}
extension Library.ThemeAlbum: MessageShaped {}
extension Library.GardenRecords: MessageShaped {}
extension Library.ImportedGarden: MessageShaped {}
