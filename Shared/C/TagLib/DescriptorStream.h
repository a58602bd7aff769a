#pragma once

#include <tiostream.h>

#include <vector>

/// An open file as TagLib's stream: read-only, through a window that spares most of the calls to the kernel.
class DescriptorStream : public TagLib::IOStream {
 public:
  /// `window` is a buffer that outlives the stream.
  DescriptorStream(int descriptor, const char *name, long size, std::vector<char> &window)
      : descriptor(descriptor), path(name), size(size), window(window) {}

  /// Thrown out of a file that is read behind its end again and again.
  struct Runaway {};

  /// The errno of the first read that failed; 0 where none did.
  int error() const { return failure; }

  TagLib::FileName name() const override { return path; }
  TagLib::ByteVector readBlock(unsigned long length) override;
  void seek(long offset, Position from) override;
  long tell() const override { return position; }
  long length() override { return size; }
  bool readOnly() const override { return true; }
  bool isOpen() const override { return true; }

  // Media is never written.
  void writeBlock(const TagLib::ByteVector &) override {}
  void insert(const TagLib::ByteVector &, unsigned long, unsigned long) override {}
  void removeBlock(unsigned long, unsigned long) override {}
  void truncate(long) override {}

 private:
  long fill(char *target, long length, long offset);

  /// How often nothing was read so far. TagLib believes the counts that a file claims and reads on behind its end, up to
  /// four thousand million times for a few damaged bytes.
  int emptyReads = 0;
  static constexpr int mostEmptyReads = 1000;

  const int descriptor;
  const char *const path;
  const long size;
  std::vector<char> &window;
  long windowStart = 0;
  long windowLength = 0;
  long position = 0;
  int failure = 0;
};
