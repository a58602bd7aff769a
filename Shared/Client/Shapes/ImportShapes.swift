public import Messages
import Model

// The shapes of imports from tags.

extension Library.ImportedRatings: JSONRepresentable {
  public var json: JSON {
    ["found": found, "rated": rated, "same": same, "kept": kept, "unclear": unclear, "atServers": atServers]
  }
}

extension Library.ImportedPlays: JSONRepresentable {
  public var json: JSON { ["found": found, "raised": raised, "same": same, "plays": plays] }
}

extension Library.UndoneImport: JSONRepresentable {
  public var json: JSON { ["undone": undone, "kept": kept, "importedAt": importedAt] }
}
