#include "FrameCount.h"

#include <unistd.h>

#include <algorithm>

namespace {

constexpr int64_t windowSize = 65536;
constexpr int64_t headerSize = 4;
constexpr int examinedFrames = 16;
/// The longest junk between two frames.
constexpr int64_t longestJunk = 65536;

/// The header of a frame (ISO 11172-3, 2.4.1.3; ISO 13818-3).
struct Frame {
  int kind;  ///< version, layer and sample rate, which all frames of a file share
  int bitRate;
  int sampleRate;
  int samples;
  int64_t length;
};

/// The bit rates in kbit/s by version 1 or 2, layer and index.
constexpr int bitRates[2][3][14] = {
    {{32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448},
     {32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384},
     {32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320}},
    {{32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256},
     {8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160},
     {8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160}}};

bool readFrame(const unsigned char *bytes, Frame &frame) {
  if (bytes[0] != 0xFF || (bytes[1] & 0xE0) != 0xE0) return false;
  const int version = bytes[1] >> 3 & 3, layer = 4 - (bytes[1] >> 1 & 3);
  const int index = bytes[2] >> 4, rate = bytes[2] >> 2 & 3, padding = bytes[2] >> 1 & 1;
  if (version == 1 || layer == 4 || rate == 3 || index == 0 || index == 15) return false;
  const bool isFirst = version == 3;
  constexpr int rates[] = {44100, 48000, 32000};
  frame.kind = bytes[1] << 8 | rate;
  frame.bitRate = bitRates[isFirst ? 0 : 1][layer - 1][index - 1];
  frame.sampleRate = rates[rate] >> (isFirst ? 0 : version == 2 ? 1 : 2);
  frame.samples = layer == 1 ? 384 : layer == 3 && !isFirst ? 576 : 1152;
  const int slots = frame.samples / 8 * frame.bitRate * 1000 / frame.sampleRate;
  frame.length = layer == 1 ? (slots / 4 + padding) * 4 : slots + padding;
  return frame.length > headerSize;
}

/// Reads headers of frames one after the other.
class Frames {
 public:
  Frames(int descriptor, int64_t offset, int64_t size, std::vector<char> &buffer)
      : descriptor(descriptor), offset(offset), size(size), buffer(buffer) {}

  /// Reads the next frame; false at the end of the sound.
  bool next(Frame &frame) {
    for (int64_t junk = 0; junk < longestJunk; ++junk, ++offset) {
      if (!at(offset, frame) || (kind != 0 && frame.kind != kind)) {
        if (offset + headerSize > size) return false;
        continue;
      }
      // After junk, only a frame that another one follows is taken.
      Frame following;
      if (junk > 0 && !(at(offset + frame.length, following) && following.kind == frame.kind)) continue;
      kind = frame.kind;
      offset += frame.length;
      return true;
    }
    return false;
  }

 private:
  bool at(int64_t place, Frame &frame) {
    if (place < 0 || place + headerSize > size) return false;
    if (place < start || place + headerSize > start + length) {
      start = place;
      length = std::max<int64_t>(0, pread(descriptor, buffer.data(), static_cast<size_t>(windowSize), place));
      if (length < headerSize) return false;
    }
    return readFrame(reinterpret_cast<const unsigned char *>(buffer.data()) + (place - start), frame);
  }

  const int descriptor;
  int64_t offset;
  const int64_t size;
  std::vector<char> &buffer;
  int64_t start = 0;
  int64_t length = 0;
  int kind = 0;
};

}  // namespace

bool countFrames(int descriptor, int64_t offset, int64_t size, std::vector<char> &buffer, FrameCount &count) {
  if (static_cast<int64_t>(buffer.size()) < windowSize) buffer.resize(static_cast<size_t>(windowSize));
  Frames frames(descriptor, offset, size, buffer);
  Frame frame;
  int64_t number = 0, samples = 0;
  int sampleRate = 0, firstBitRate = 0;
  bool differs = false;
  count = {};
  while (frames.next(frame)) {
    if (number++ == 0) firstBitRate = frame.bitRate;
    differs = differs || frame.bitRate != firstBitRate;
    if (number == examinedFrames && !differs) return false;
    samples += frame.samples;
    sampleRate = frame.sampleRate;
    count.bytes += frame.length;
  }
  if (!differs || sampleRate == 0) return false;
  count.duration = samples * 1000 / sampleRate;
  return true;
}
