import Model
import Records

extension ChangedFolders {
  /// Returns the folders to visit, with the rules of the ignore files above them. Folders that these leave out, and
  /// those outside the music folders, are not among them, nor are those that do not answer. Reads the ignore files.
  func visits(
    in roots: [[UInt8]], within boundary: FolderBoundary, by requests: FolderRequests
  ) -> [ScanQueue.Folder] {
    paths.compactMap { path, withSubfolders in
      guard let root = roots.first(where: { FilePath.isWithin(path, $0) }), !requests.isSilent(path) else { return nil }
      return requests.visit(path) { visit in
        var rules: IgnoreRules?
        var above = root
        for name in path.dropFirst(root.count).split(separator: UInt8(ascii: "/")).map(Array.init) {
          rules = IgnoreRules.read(of: above, below: rules, within: boundary)
          visit.answered()
          if rules?.ignores(name, in: above, isFolder: true) == true { return nil }
          above = FilePath.join(above, name)
        }
        return ScanQueue.Folder(path: path, rules: rules, isRecursive: withSubfolders)
      }
    }
  }
}

extension IgnoreRules {
  /// Returns the rules for a folder: those of the folders above, and those of its own ignore files. A file that cannot
  /// be read has none, as in a scan, which reports it.
  fileprivate static func read(
    of folder: [UInt8], below rules: IgnoreRules?, within boundary: FolderBoundary
  ) -> IgnoreRules? {
    var rules = rules
    for file in IgnoreFile.allCases {
      do throws(TextFailure) {
        let text = try file.read(of: folder, within: boundary)
        rules = rules ?? IgnoreRules()
        rules?.add(file, text, of: folder)
      } catch {
        continue
      }
    }
    return rules
  }
}
