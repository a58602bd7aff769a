import Glibc
public import Messages

/// Chooses the concerts near a place, and those of the next months. Plugins never learn the place.
public struct ConcertFilter: Hashable, Sendable {  // memberwise
  /// A place on earth.
  public struct Place: Hashable, Sendable {
    /// The degrees north of the equator.
    public var latitude: Double
    /// The degrees east of Greenwich.
    public var longitude: Double

    public init(latitude: Double, longitude: Double) {
      self.latitude = latitude
      self.longitude = longitude
    }

    /// Reads a place such as `47.07,15.44`; nil for any other text.
    public init?(_ text: String) {
      let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        .map { Double($0.trimmingPrefix { $0 == " " }) }
      guard parts.count == 2, let latitude = parts[0], let longitude = parts[1], abs(latitude) <= 90,
        abs(longitude) <= 180
      else { return nil }
      self.init(latitude: latitude, longitude: longitude)
    }

    /// Returns the distance to another place over the surface of the earth, in kilometres.
    public func kilometres(to other: Place) -> Double {
      let radians = Double.pi / 180
      let north = (other.latitude - latitude) * radians
      let east = (other.longitude - longitude) * radians
      let half =
        sin(north / 2) * sin(north / 2)
        + cos(latitude * radians) * cos(other.latitude * radians) * sin(east / 2) * sin(east / 2)
      return 2 * 6371 * asin(min(1, half.squareRoot()))
    }
  }

  /// The usual distance within which a concert is near, in kilometres.
  public static let usualDistance = 50.0
  /// The longest distance, in kilometres.
  public static let mostKilometres = 20_100
  /// The most months.
  public static let mostMonths = 24

  /// The place; nil for everywhere.
  public var near: Place? = nil
  /// The distance within which a concert is near, in kilometres.
  public var within: Double = Self.usualDistance
  /// The number of months from today; nil for all that are known.
  public var months: Int? = nil

  /// Returns the concerts that are wanted, with their distances.
  ///
  /// - Parameters:
  ///   - list: the concerts that plugins found.
  ///   - today: the day, such as `2026-11-24`; what follows after it is ignored.
  public func apply(to list: Resolver.ConcertList, today: String) -> NearbyConcerts {
    let end = months.flatMap { Self.day(String(today.prefix(10)), plus: $0) }
    var result = NearbyConcerts(list: list)
    result.list.concerts = []
    for concert in list.concerts where end.map({ concert.date <= $0 }) ?? true {
      guard let near else {
        result.list.concerts.append(concert)
        result.distances.append(nil)
        continue
      }
      guard let latitude = concert.latitude, let longitude = concert.longitude else {
        result.unplaced += 1
        continue
      }
      let distance = near.kilometres(to: Place(latitude: latitude, longitude: longitude))
      guard distance <= within else { continue }
      result.list.concerts.append(concert)
      result.distances.append(distance)
    }
    return result
  }

  /// Returns the day some months after another, for comparing; nil for a text that is no day.
  static func day(_ day: String, plus months: Int) -> String? {
    let parts = day.split(separator: "-")
    guard parts.count == 3, let year = Int(parts[0]), let month = Int(parts[1]) else { return nil }
    let all = year * 12 + month - 1 + months
    let text = "\(all % 12 + 1)"
    return "\(all / 12)-\(text.count == 1 ? "0" : "")\(text)-\(parts[2])"
  }
}

/// Concerts with their distances from a place.
public struct NearbyConcerts: JSONRepresentable, Sendable {
  /// The concerts that were chosen, and how far the search for them is.
  public var list: Resolver.ConcertList
  /// The distances in kilometres, in the order of the concerts; nil if no place was given.
  public var distances: [Double?] = []
  /// The number of concerts that were left out as plugins gave no coordinates of their places.
  public var unplaced = 0

  /// The shape of `concerts`.
  public var json: JSON {
    let concerts = zip(list.concerts, distances).map { concert, distance in
      concert.json.with(["distanceKm": distance.map { ($0 * 10).rounded() / 10 }])
    }
    return [
      "concerts": JSON.array(concerts), "artists": list.artists, "waiting": list.waiting, "failures": list.failures,
      "unplaced": unplaced,
    ]
  }
}
