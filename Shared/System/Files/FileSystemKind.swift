/// The way in which changes in a file system become known, by the name of its type in /proc/self/mountinfo.
public enum FileSystemKind: Hashable, Sendable {
  /// This machine alone changes it, and the kernel reports that.
  case local
  /// A program on this machine serves it (FUSE). The kernel reports what is changed through it, and not what is changed
  /// behind it.
  case served
  /// Another machine changes it too, which the kernel does not report, and may be away.
  case remote

  /// File systems of other machines, of the host of a virtual machine, and of clusters.
  private static let remoteTypes: Set<String> = [
    "9p", "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "gfs2", "glusterfs", "lustre", "ncpfs", "nfs", "nfs4",
    "ocfs2", "orangefs", "prl_fs", "smb3", "smbfs", "vboxsf", "virtiofs", "vmhgfs",
  ]

  /// The programs of FUSE behind which another machine or a service is.
  private static let remotePrograms: Set<String> = [
    "beegfs", "ceph", "ceph-fuse", "curlftpfs", "davfs", "davfs2", "fusesmb", "gcsfuse", "glusterfs",
    "google-drive-ocamlfuse", "goofys", "gvfs", "gvfsd-fuse", "ifuse", "jmtpfs", "juicefs", "kio-fuse", "mfs",
    "moosefs", "mount-s3", "mountpoint-s3", "onedriver", "prl_fsd", "rclone", "s3fs", "simple-mtpfs", "smbnetfs",
    "sshfs", "vmhgfs-fuse",
  ]

  /// The programs that do not know when a folder changed: those of object stores, and of protocols without such times.
  private static let timelessPrograms: Set<String> = [
    "curlftpfs", "davfs", "davfs2", "gcsfuse", "google-drive-ocamlfuse", "goofys", "gvfs", "gvfsd-fuse", "ifuse",
    "jmtpfs", "mount-s3", "mountpoint-s3", "onedriver", "rclone", "s3fs", "simple-mtpfs",
  ]

  /// The file systems that number files anew after each mount, because their media or protocols have no numbers.
  private static let numberlessTypes: Set<String> = [
    "coda", "davfs", "exfat", "fuseblk", "msdos", "ncpfs", "prl_fs", "smbfs", "vboxsf", "vfat", "vmhgfs",
  ]

  /// The programs of FUSE that pass on numbers of files that last. All others are taken for numbering them anew.
  private static let numberingPrograms: Set<String> = [
    "beegfs", "bindfs", "ceph", "ceph-fuse", "glusterfs", "juicefs", "mergerfs", "mfs", "moosefs",
  ]

  /// Returns false for file systems in which another file may have a file's inode number after the next mount.
  ///
  /// - Parameters:
  ///   - type: such as `fuse.sshfs`.
  ///   - options: those of the file system, separated by commas.
  public static func hasLastingInodes(type: String, options: some StringProtocol) -> Bool {
    if type == "fuse" || type.hasPrefix("fuse.") {
      return numberingPrograms.contains(String(type.dropFirst("fuse.".count)))
    }
    // An SMB client that does not use the server's numbers makes them up.
    if type == "cifs" || type == "smb3" { return options.split(separator: ",").contains("serverino") }
    return !numberlessTypes.contains(type)
  }

  /// Returns false for a type of file systems whose folders keep their time when something in them changes.
  public static func hasFolderTimes(type: String) -> Bool {
    !type.hasPrefix("fuse.") || !timelessPrograms.contains(String(type.dropFirst("fuse.".count)))
  }

  /// - Parameter type: such as `ext4`, `nfs4` or `fuse.sshfs`.
  public init(type: String) {
    if Self.remoteTypes.contains(type) {
      self = .remote
    } else if type == "fuse" || type.hasPrefix("fuse.") {
      self = Self.remotePrograms.contains(String(type.dropFirst("fuse.".count))) ? .remote : .served
    } else {
      // `fuseblk` is a disk of this machine, such as one with NTFS.
      self = .local
    }
  }
}
