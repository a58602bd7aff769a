#include "FLACEnd.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace {

/// The length of the tags that may follow the last frame: an ID3v1 tag, and some padding.
constexpr int64_t tail = 1024;
/// The longest frame that is looked for where its length is not known: 4096 samples of 24 bits in two channels.
constexpr int64_t usualFrame = 32768;
constexpr int64_t longestFrame = 1 << 18;
constexpr size_t longestHeader = 16;

/// The polynomial x^8 + x^2 + x + 1 of the header's checksum (RFC 9639, section 9.1.8).
uint8_t checksum(const unsigned char *bytes, size_t count) {
  uint8_t sum = 0;
  for (size_t index = 0; index < count; ++index) {
    sum ^= bytes[index];
    for (int bit = 0; bit < 8; ++bit) sum = static_cast<uint8_t>(sum & 0x80 ? sum << 1 ^ 0x07 : sum << 1);
  }
  return sum;
}

/// The position after the last sample of the frame with this header (section 9.1); 0 where it is no header. At least
/// `longestHeader` bytes can be read.
int64_t end(const unsigned char *bytes, const FLACStream &stream) {
  if (bytes[0] != 0xFF || (bytes[1] & 0xFE) != 0xF8) return 0;
  const bool isVariable = bytes[1] & 1;
  const int block = bytes[2] >> 4, rate = bytes[2] & 15;
  if (block == 0 || rate == 15 || bytes[3] >> 4 > 10 || (bytes[3] & 1) != 0) return 0;
  // The number of the frame or sample is coded as UTF-8 codes characters, in up to seven bytes.
  size_t at = 4;
  int more = 0;
  while (more < 7 && (bytes[at] << more & 0x80) != 0) ++more;
  if (more == 1 || more > 6 + (isVariable ? 1 : 0)) return 0;
  int64_t number = more == 0 ? bytes[at] : bytes[at] & (0x7F >> more);
  ++at;
  for (int index = 1; index < more; ++index, ++at) {
    if ((bytes[at] & 0xC0) != 0x80) return 0;
    number = number << 6 | (bytes[at] & 0x3F);
  }
  int64_t samples = 0;
  if (block == 1) {
    samples = 192;
  } else if (block <= 5) {
    samples = 144 << block;
  } else if (block == 6) {
    samples = bytes[at++] + 1;
  } else if (block == 7) {
    samples = (bytes[at] << 8 | bytes[at + 1]) + 1;
    at += 2;
  } else {
    samples = 1 << block;
  }
  if (rate == 12) at += 1;
  if (rate == 13 || rate == 14) at += 2;
  if (checksum(bytes, at) != bytes[at]) return 0;
  return (isVariable ? number : number * stream.longestBlock) + samples;
}

}  // namespace

bool endsEarly(int descriptor, int64_t size, const FLACStream &stream, std::vector<char> &buffer) {
  // Frames are numbered only where all but the last have as many samples.
  if (stream.samples <= 0 || stream.shortestBlock != stream.longestBlock) return false;
  const int64_t frame = stream.longestFrame > 0 ? stream.longestFrame : usualFrame;
  const int64_t length = std::min({size, frame + tail, longestFrame});
  // Headers at the very end are read into the bytes after it, which are no frame.
  const size_t room = static_cast<size_t>(length) + longestHeader;
  if (buffer.size() < room) buffer.resize(room);
  std::fill_n(buffer.begin() + static_cast<long>(length), longestHeader, '\0');
  const ssize_t got = pread(descriptor, buffer.data(), static_cast<size_t>(length), size - length);
  const auto *bytes = reinterpret_cast<const unsigned char *>(buffer.data());
  // Bytes that look like a header by chance have some number or other, so the greatest that is possible counts. FFmpeg
  // writes frames that end after the number of samples, where that is no multiple of a block.
  const int64_t greatest = stream.samples + 2 * static_cast<int64_t>(stream.longestBlock);
  int64_t last = 0;
  for (ssize_t at = 0; at < got; ++at) {
    const void *found = std::memchr(bytes + at, 0xFF, static_cast<size_t>(got - at));
    if (found == nullptr) break;
    at = static_cast<const unsigned char *>(found) - bytes;
    const int64_t position = end(bytes + at, stream);
    if (position <= greatest) last = std::max(last, position);
  }
  return last > 0 && last < stream.samples;
}
