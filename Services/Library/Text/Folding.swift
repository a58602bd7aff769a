import Text

/// The forms of text that the catalogue compares and sorts by.
extension String {
  /// The same text in the normal form C, so that equal words are equal bytes.
  var normalised: String { self.normalised }

  /// Case folded, for keys: names that differ only in case or in their normal form are one. Marks are kept, since they
  /// tell artists apart.
  var caseFolded: String { self.caseFolded }

  /// Case, width and marks folded, for sorting and searching. Only marks that a reader leaves out when typing are
  /// dropped.
  var folded: String { self.folded }

  /// Without white space at both ends.
  var trimmed: String { self.trimmed }
}
