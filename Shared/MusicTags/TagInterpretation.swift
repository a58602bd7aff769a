import Model
import Text

/// Makes tags out of the names and values that a file holds, in the order in which it holds them.
struct TagInterpretation {
  private var tags = FileTags()
  private var levels = LevelTags()
  private var cueBlock = CueBlock()
  /// The disc in the number of a track, such as `1-04`.
  private var discOfNumber: Int?
  private var personSorts: [(role: CreditRole, sort: String)] = []

  private static let mostValues = 24
  private static let mostPeople = 40

  mutating func add(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
    guard let field = TagField(name) else { return }
    switch field {
    case .text(let path):
      if tags[keyPath: path] == nil { tags[keyPath: path] = Self.text(value) }
    case .musicBrainzID(let path):
      if tags[keyPath: path] == nil { tags[keyPath: path] = Self.text(value).flatMap(MusicBrainzID.init)?.text }
    case .list(let path): append(Self.text(value).map { [$0] } ?? [], to: path)
    case .ids(let path):
      let ids = Self.ids(value).filter { id in id.utf8.contains { $0 != UInt8(ascii: "0") && $0 != UInt8(ascii: "-") } }
      append(ids, to: path)
      // Ids hold no slash, so the program that wrote the tags put it between values.
      if ids.count > 1, value.contains(UInt8(ascii: "/")) { tags.joinsBySlash = true }
    case .number(let path):
      if tags[keyPath: path] == nil { tags[keyPath: path] = Self.number(value) }
    case .flag(let path): tags[keyPath: path] = value.first == UInt8(ascii: "1")
    case .disc: addPlace(value, number: \.place.disc, total: \.place.discTotal, text: nil)
    case .track: addTrackPlace(value)
    case .movement:
      addPlace(value, number: \.title.movementNumber, total: \.title.movementTotal, text: \.title.movement)
    case .person(let role): addPerson(CreditTag(role: role, name: Self.text(value) ?? ""))
    case .personSort(let role): personSorts += Self.text(value).map { [(role, $0)] } ?? []
    case .performer(let instrument): addPerformer(Self.text(value) ?? "", instrument)
    case .level(let field): levels.add(field, value)
    case .rating:
      guard let name = Self.text(name), let rating = Self.text(value) else { return }
      append(["\(name)=\(rating)"], to: \.owner.ratings)
    case .playCount: if let count = Self.number(value) { tags.owner.playCount = max(count, tags.owner.playCount ?? 0) }
    case .cueSheet:
      let sheet = Self.lines(value)
      if tags.cueSheet == nil, !sheet.isEmpty { tags.cueSheet = sheet }
    case .cueBlock: cueBlock.set(Self.lines(value, trimmed: false))
    case .cueTrack(let name, let number): if let text = Self.text(value) { cueBlock.add(name, of: number, text) }
    }
  }

  private mutating func append(_ values: [String], to path: WritableKeyPath<FileTags, [String]>) {
    // TagLib gives some values under two names, as those of a frame and those of a tag of another kind.
    for value in values where tags[keyPath: path].count < Self.mostValues && !tags[keyPath: path].contains(value) {
      tags[keyPath: path].append(value)
    }
  }

  /// Adds the number of `3` and `3/12`, and the total; a value that is no number goes to `text`.
  private mutating func addPlace(
    _ value: UnsafeBufferPointer<UInt8>, number: WritableKeyPath<FileTags, Int?>,
    total: WritableKeyPath<FileTags, Int?>, text: WritableKeyPath<FileTags, String?>?
  ) {
    if let found = Self.number(value) {
      if tags[keyPath: number] == nil { tags[keyPath: number] = found }
    } else if let text, tags[keyPath: text] == nil {
      tags[keyPath: text] = Self.text(value)
    }
    guard let slash = value.firstIndex(of: UInt8(ascii: "/")), tags[keyPath: total] == nil else { return }
    tags[keyPath: total] = Self.number(UnsafeBufferPointer(rebasing: value[(slash + 1)...]))
  }

  /// Adds the number of a track in one of its spellings: also `1-04` and `1.4`, which name the disc too, `#4`, `Track
  /// 4` and wide digits.
  private mutating func addTrackPlace(_ value: UnsafeBufferPointer<UInt8>) {
    let isPlain = value.allSatisfy { (48...57).contains($0) || $0 == 32 || $0 == UInt8(ascii: "/") }
    guard !isPlain, let place = Self.text(value).flatMap(Self.trackPlace) else {
      return addPlace(value, number: \.place.number, total: \.place.total, text: \.place.numberText)
    }
    tags.place.number = tags.place.number ?? place.number
    tags.place.total = tags.place.total ?? place.total
    discOfNumber = discOfNumber ?? place.disc
  }

  private mutating func addPerson(_ person: CreditTag) {
    guard !person.name.isEmpty, tags.people.count < Self.mostPeople, !tags.people.contains(person) else { return }
    tags.people.append(person)
  }

  /// Adds a performer; `Name (guitar)` names the instrument too, as Picard writes it.
  private mutating func addPerformer(_ text: String, _ instrument: String?) {
    guard instrument == nil, text.hasSuffix(")"), let open = text.lastIndex(of: "("), open > text.startIndex else {
      return addPerson(CreditTag(role: .performer, name: text, instrument: instrument))
    }
    let inside = String(text[text.index(after: open)...].dropLast()).trimmed
    addPerson(
      CreditTag(
        role: .performer, name: String(text[..<open]).trimmed, instrument: inside.isEmpty ? nil : inside))
  }

  /// The tags once all values were added.
  consuming func finished() -> FileTags {
    tags.audio.levels = levels.finished()
    tags.place.disc = tags.place.disc ?? discOfNumber
    tags.cueBlock = cueBlock.text
    for role in Set(personSorts.map(\.role)) {
      let people = tags.people.indices.filter { tags.people[$0].role == role }
      let sorts = personSorts.filter { $0.role == role }.map(\.sort)
      guard people.count == sorts.count else { continue }
      for (index, sort) in zip(people, sorts) { tags.people[index].sort = sort }
    }
    return tags
  }
}
