public import Messages
import Model

/// A value whose shape is the JSON of its message; members without a value are left out.
public protocol MessageShaped: JSONRepresentable, Encodable {}

extension MessageShaped {
  public var json: JSON {
    do { return .raw(try MessageCoding.encode(self)) } catch { return .null }
  }
}

extension Library.Note: MessageShaped {}
extension Library.NotePage: MessageShaped {}
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
extension Library.GardenRecords: MessageShaped {}
extension Library.ImportedGarden: MessageShaped {}

extension Library.NoteChanged: JSONRepresentable {
  public var json: JSON { ["note": note, "on": on, "isDeleted": isDeleted] }
}

extension Library.MarkChanged: JSONRepresentable {
  public var json: JSON { ["mark": mark, "on": on, "state": state.rawValue] }
}

extension Library.TodoChanged: JSONRepresentable {
  public var json: JSON { ["todo": todo, "on": on, "about": about.rawValue, "state": state.rawValue] }
}

extension Library.ThemeChanged: JSONRepresentable {
  public var json: JSON { ["id": id, "title": title, "isDeleted": isDeleted] }
}
