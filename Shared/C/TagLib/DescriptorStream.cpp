#include "DescriptorStream.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

/// Reads as much as there is; stops at the end of the file and at an error, which it keeps.
long DescriptorStream::fill(char *target, long length, long offset) {
  long done = 0;
  while (done < length) {
    const ssize_t count = pread(descriptor, target + done, length - done, offset + done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && failure == 0) failure = errno;
    if (count <= 0) break;
    done += count;
  }
  return done;
}

TagLib::ByteVector DescriptorStream::readBlock(unsigned long wanted) {
  if (position >= size) {
    if (++emptyReads > mostEmptyReads) throw Runaway();
    return TagLib::ByteVector();
  }
  // A damaged file may claim any number of bytes, but never holds more than its size.
  const long length = static_cast<long>(std::min<unsigned long>(wanted, static_cast<unsigned long>(size - position)));
  const long capacity = static_cast<long>(window.size());
  if (length > capacity) {
    TagLib::ByteVector block(static_cast<unsigned int>(std::min<long>(length, 0x7fffffff)), 0);
    block.resize(static_cast<unsigned int>(fill(block.data(), block.size(), position)));
    position += block.size();
    return block;
  }
  if (position < windowStart || position + length > windowStart + windowLength) {
    windowStart = position;
    windowLength = fill(window.data(), std::min(capacity, size - position), position);
  }
  const long available = std::min(length, windowStart + windowLength - position);
  TagLib::ByteVector block(window.data() + (position - windowStart), static_cast<unsigned int>(available));
  position += available;
  return block;
}

void DescriptorStream::seek(long offset, Position from) {
  switch (from) {
    case Beginning: position = offset; break;
    case Current: position += offset; break;
    case End: position = size + offset; break;
  }
  position = std::max(0L, position);
}
