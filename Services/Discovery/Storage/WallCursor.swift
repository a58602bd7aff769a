import Messages
import Model

/// The end of a page of a wall: the wall's name and the place of the next tile, as a text such as `7.3.100.100` or
/// `7.3.50.75.rock.rock-punk+rock-metal`.
struct WallCursor: Hashable, Sendable {
  var name: Discovery.WallName
  /// The place of the next tile, from 0.
  var place: Int

  init(name: Discovery.WallName, place: Int) {
    self.name = name
    self.place = place
  }

  /// Reads a cursor; nil for a text of another form.
  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard (4...6).contains(parts.count), text.utf8.count < 4096, let seed = Int64(parts[0]), let dial = Int(parts[1]),
      let first = Int(parts[2]), let place = Int(parts[3]), (0...Seeds.largest).contains(seed),
      Dial.positions.contains(dial), (1...200).contains(first), (0...10_000_000).contains(place),
      parts.dropFirst(4).allSatisfy({ !$0.isEmpty })
    else { return nil }
    let subcategories = parts.count == 6 ? parts[5].split(separator: "+").map(String.init) : nil
    name = Discovery.WallName(
      seed: seed, dial: dial, first: first, genre: parts.count > 4 ? parts[4] : nil, subcategories: subcategories)
    self.place = place
  }

  var text: String {
    var parts = ["\(name.seed)", "\(name.dial)", "\(name.first)", "\(place)"]
    if let genre = name.genre { parts.append(genre) }
    if let subcategories = name.subcategories { parts.append(subcategories.joined(separator: "+")) }
    return parts.joined(separator: ".")
  }
}

/// The seeds of walls.
enum Seeds {
  /// The largest seed, which a browser can still hold as a number.
  static let largest = Int64(1) << 53 - 1
}
