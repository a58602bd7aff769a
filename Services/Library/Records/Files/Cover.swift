/// A picture file in a folder: the cover of the album in it, or a picture of the artist of all albums below it.
package struct Cover: Hashable, Sendable {  // memberwise
  /// The name in the folder; of a picture in a subfolder for scans with that folder.
  package var name: [UInt8]
  /// A text that differs when the picture differs.
  package var mark: String
}
