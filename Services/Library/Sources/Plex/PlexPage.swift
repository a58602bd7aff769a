import Messages
import Model

/// A `MediaContainer`: a page of whatever was asked for.
struct PlexPage {
  /// The container itself.
  let container: JSONView
  /// Its rows; a `Directory` where there is no `Metadata`, as with sections.
  let rows: [JSONView]

  /// Reads an answer.
  ///
  /// - Throws: `library.sourceAway` for what is none, such as the HTML pages that servers send for errors with any status.
  init(_ body: [UInt8], of server: String) throws {
    guard let container = JSONView(body)?["MediaContainer"] else { throw PlexError.nonsense(server) }
    self.init(container)
    // Rows that are told and not sent would look like an end of the list.
    if rows.isEmpty, let size = container["size"]?.integer, size > 0 { throw PlexError.nonsense(server) }
  }

  /// Takes a container as it is.
  init(_ container: JSONView) {
    self.container = container
    rows = (container["Metadata"] ?? container["Directory"] ?? container["Track"])?.elements ?? []
  }

  /// How many rows there are on all pages; nil where the server does not say.
  var total: Int? { container["totalSize"]?.integer.map { Int(clamping: $0) } }
}
