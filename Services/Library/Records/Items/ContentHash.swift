import Model

/// Returns a 64-bit hash by which changes of contents are detected; never 0.
package func contentHash(of bytes: some Sequence<UInt8>) -> Int64 {
  let hash = FNV1a.hash(bytes)
  return hash == 0 ? 1 : Int64(bitPattern: hash)
}
