import Bus
import Messages
import Model

/// One line of a tap for people: when, which class, who, what, and in a few words or as much of the payload as fits.
struct TapRow {
  /// The columns for a terminal: what stands before the words, and how wide.
  private struct Layout {
    var time: Int
    var node: Int
    var kind: Int
    var number: Int
    var isShort: Bool

    /// Of a narrow terminal the words get a third.
    init(columns: Int) {
      isShort = columns < 110
      (time, number) = isShort ? (8, 0) : (12, 7)
      (node, kind) = isShort ? (11, columns < 70 ? 12 : 16) : (18, 26)
    }

    static let delivery = 6
  }

  let envelope: Envelope

  /// The text, ended by a new line and no wider than the terminal.
  func text(columns: Int, style: Style) -> String {
    let layout = Layout(columns: columns)
    let number = envelope.seq.map { "#\($0)" } ?? envelope.version.map { "v\($0)" } ?? ""
    var cells = [
      style.faint(String(envelope.time.localTimeOfDay.prefix(layout.time))),
      tinted(Self.padded(envelope.delivery.rawValue, Layout.delivery), style),
      style.text(Self.padded(node(isShort: layout.isShort), layout.node), isFaint ? .faint : .plain),
      tinted(Self.padded(kind(isShort: layout.isShort), layout.kind), style),
    ]
    var used = layout.time + Layout.delivery + layout.node + layout.kind + 2 * cells.count
    if layout.number > 0 {
      cells.append(style.faint(Self.padded(number, layout.number)))
      used += layout.number + 2
    }
    let words = Printable.line(TapSummary.text(of: envelope) ?? String(decoding: envelope.payload, as: UTF8.self))
    cells.append(style.text(Printable.fit(words, max(8, columns - used)), isFaint ? .faint : .plain))
    return cells.joined(separator: "  ") + "\n"
  }

  private var isFaint: Bool { envelope.delivery == .signal }

  /// Facts green, states blue, signals faint, requests yellow.
  private func tinted(_ text: String, _ style: Style) -> String {
    switch envelope.delivery {
    case .fact: style.good(text)
    case .state: style.hue(0, text)
    case .signal: style.faint(text)
    case .request: style.notable(text)
    }
  }

  /// Who said it; where room is short, the room or the role.
  private func node(isShort: Bool) -> String {
    let author = envelope.author
    guard isShort else { return author.description }
    return author.name == "main" ? author.role : author.name
  }

  /// The kind; where room is short, without the domain that the node's role repeats.
  private func kind(isShort: Bool) -> String {
    let domain = envelope.author.role + "."
    return isShort && envelope.kind.hasPrefix(domain) ? String(envelope.kind.dropFirst(domain.count)) : envelope.kind
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    let fitted = Printable.fit(text, width)
    return fitted + String(repeating: " ", count: max(0, width - Printable.columns(fitted)))
  }
}
