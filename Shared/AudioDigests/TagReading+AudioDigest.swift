public import Messages
public import System

extension TagReading.Answer {
  /// Adds the digest of the sound in the file that was read. An answer about a file that the kernel cannot read becomes
  /// one of that failure.
  public mutating func addDigest(of file: Descriptor, size: Int64) {
    do {
      audioDigest = try AudioDigest.of(file, size: Int(size))
    } catch {
      self = TagReading.Answer(.unreadable)
      systemError = error.rawValue
    }
  }

  /// Notes whether the file that was read is shorter than its header says, and returns whether that leaves out the
  /// length of later fragments.
  @discardableResult public mutating func recordTruncation(of file: Descriptor, size: Int64) -> Bool {
    // The file was read before, so its disk answers.
    let findings: AudioTruncation.Findings
    do { findings = try AudioTruncation.findings(file, size: Int(size)) } catch { findings = .init() }
    isTruncated = findings.isTruncated
    return findings.isFragmented
  }
}
