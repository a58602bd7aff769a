import Glibc

/// Lists of words in the form that `execve` takes.
enum CStrings {
  /// Calls `body` with the words as C strings and a null at the end, valid only during the call.
  static func with<Result>(
    _ words: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers)
  }
}
