/// A chord of a scale: thirds stacked on a degree.
struct Chord {
  /// The degree it stands on, 0 for the tonic.
  let root: Int
  /// The degrees of its notes above the root.
  let shape: [Int]

  /// The plain chord of three notes.
  static func triad(_ root: Int) -> Chord { Chord(root: root, shape: [0, 2, 4]) }
  /// With the seventh.
  static func seventh(_ root: Int) -> Chord { Chord(root: root, shape: [0, 2, 4, 6]) }
  /// With the seventh and the ninth.
  static func ninth(_ root: Int) -> Chord { Chord(root: root, shape: [0, 2, 4, 6, 8]) }
  /// Open: root, second and fifth.
  static func open(_ root: Int) -> Chord { Chord(root: root, shape: [0, 1, 4]) }

  /// Its degrees in the scale.
  var degrees: [Int] { shape.map { root + $0 } }

  /// Its pitches between two bounds that move as little as possible from the chord before.
  func voicing(in scale: Scale, from low: Int, near previous: [Int]) -> [Int] {
    let classes = degrees.map { (scale.pitch($0) % 12 + 12) % 12 }
    let inversions = (0..<classes.count).map { first in
      var pitches: [Int] = []
      var floor = low
      for index in 0..<classes.count {
        var pitch = floor + ((classes[(first + index) % classes.count] - floor) % 12 + 12) % 12
        if pitch == pitches.last { pitch += 12 }
        pitches.append(pitch)
        floor = pitch + 1
      }
      return pitches
    }
    guard !previous.isEmpty else { return inversions[0] }
    func movement(_ pitches: [Int]) -> Int {
      pitches.reduce(0) { sum, pitch in sum + (previous.map { abs($0 - pitch) }.min() ?? 0) }
    }
    return inversions.min { movement($0) < movement($1) } ?? inversions[0]
  }

  /// The pitch of its root in the octave that begins at a pitch.
  func bass(in scale: Scale, from low: Int) -> Int {
    low + ((scale.pitch(root) - low) % 12 + 12) % 12
  }
}
