#include "FLACSkim.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <string>
#include <string_view>

#include "FLACEnd.h"

namespace {

/// The part of the file that was read last.
class Window {
 public:
  Window(int descriptor, int64_t size, std::vector<char> &buffer)
      : descriptor(descriptor), size(size), buffer(buffer) {}

  /// `count` bytes at `offset`, reading up to `ahead` where they are not there yet; null where the file ends before.
  const unsigned char *at(int64_t offset, int64_t count, int64_t ahead) {
    if (count > size - offset) return nullptr;
    if (offset < start || offset + count > start + length) {
      if (ahead < count) ahead = count;
      if (ahead > size - offset) ahead = size - offset;
      if (static_cast<int64_t>(buffer.size()) < ahead) buffer.resize(static_cast<size_t>(ahead));
      const ssize_t got = pread(descriptor, buffer.data(), static_cast<size_t>(ahead), offset);
      start = offset;
      length = got > 0 ? got : 0;
      if (length < count) return nullptr;
    }
    return reinterpret_cast<const unsigned char *>(buffer.data()) + (offset - start);
  }

 private:
  const int descriptor;
  const int64_t size;
  std::vector<char> &buffer;
  int64_t start = 0;
  int64_t length = 0;
};

constexpr int64_t firstRead = 4096;
constexpr int64_t headerRead = 512;
constexpr int64_t longestComments = 4 << 20;
constexpr int64_t streamInformationLength = 34;
constexpr int64_t seekPointLength = 18;
constexpr int64_t longestSeekTable = 64 << 10;
constexpr int64_t longestCueSheet = 1 << 20;
/// A file as short as this one, in milliseconds, holds one song, and no disc.
constexpr int64_t longestSong = 360000;
enum Kind { streamInformation = 0, seekTable = 3, comments = 4, cueSheet = 5, picture = 6, invalid = 127 };

/// The stream information (section 8.2): after ten bytes, 20 bits of sample rate, 3 of channels less one, 5 of bits a
/// sample less one and 36 of the number of samples.
void readStreamInformation(const unsigned char *body, FLACStream &stream, lunara_tags &tags) {
  stream.shortestBlock = body[0] << 8 | body[1];
  stream.longestBlock = body[2] << 8 | body[3];
  stream.longestFrame = body[7] << 16 | body[8] << 8 | body[9];
  tags.sample_rate = body[10] << 12 | body[11] << 4 | body[12] >> 4;
  tags.channels = (body[12] >> 1 & 7) + 1;
  tags.bit_depth = ((body[12] & 1) << 4 | body[13] >> 4) + 1;
  const int64_t samples = static_cast<int64_t>(body[13] & 15) << 32 | static_cast<int64_t>(body[14]) << 24 | body[15] << 16 |
            body[16] << 8 | body[17];
  stream.samples = samples;
  if (tags.sample_rate > 0) tags.duration = samples * 1000 / tags.sample_rate;
  // The MD5 of the samples; encoders that did not compute it leave zeros. Half of it tells files apart.
  for (int index = 18; index < 26; ++index) tags.audio_digest = tags.audio_digest << 8 | body[index];
}

/// The position of the last frame that a seek table (section 8.5) has, counted from the first frame; -1 where it has
/// none. Each point has a sample, a position and a number of samples; places that are free have all bits of the sample.
int64_t lastSeekPoint(const unsigned char *body, int64_t length) {
  for (int64_t at = length - length % seekPointLength - seekPointLength; at >= 0; at -= seekPointLength) {
    uint64_t sample = 0, position = 0;
    for (int index = 0; index < 8; ++index) {
      sample = sample << 8 | body[at + index];
      position = position << 8 | body[at + 8 + index];
    }
    if (sample != UINT64_MAX) return position > INT64_MAX ? -1 : static_cast<int64_t>(position);
  }
  return -1;
}

/// A number of eight bytes, the highest first.
uint64_t number64(const unsigned char *bytes) {
  uint64_t number = 0;
  for (int index = 0; index < 8; ++index) number = number << 8 | bytes[index];
  return number;
}

/// Text of a fixed length up to its first character that is no letter or digit.
std::string word(const unsigned char *bytes, size_t length) {
  std::string text;
  for (size_t index = 0; index < length && std::isalnum(bytes[index]) != 0; ++index) text += static_cast<char>(bytes[index]);
  return text;
}

/// The CUE sheet (section 8.7): a catalogue number of 128 bytes, 267 others, the number of tracks, and of each its first
/// sample, number, ISRC, a bit that says that it is data, and its indexes, with their samples from there on. The last
/// one is the end of the disc.
///
/// Gives a line with the catalogue number, and of each track its number, the sample of its index 1, 1 for sound or 0 for
/// data, and its ISRC; nothing for fewer than two tracks, or for a disc of another length than the file.
std::string readCueSheet(const unsigned char *body, int64_t length, const FLACStream &stream, int sampleRate) {
  constexpr int64_t headLength = 396, trackLength = 36, indexLength = 12;
  if (length < headLength) return {};
  std::string text = word(body, 128) + '\n';
  int tracks = 0;
  int64_t at = headLength;
  for (int left = body[headLength - 1]; left > 0; --left) {
    if (length - at < trackLength) return {};
    const unsigned char *track = body + at;
    const int64_t indexes = track[35];
    at += trackLength;
    if (length - at < indexes * indexLength) return {};
    uint64_t start = number64(track);
    if (start > INT64_MAX / 2) return {};
    if (left == 1) {
      const int64_t missing = stream.samples - static_cast<int64_t>(start);
      return tracks > 1 && missing <= sampleRate && missing >= -sampleRate ? text : "";
    }
    for (const unsigned char *index = body + at; index < body + at + indexes * indexLength; index += indexLength) {
      if (index[8] == 1) start += std::min<uint64_t>(number64(index), INT64_MAX / 2);
    }
    at += indexes * indexLength;
    ++tracks;
    text += std::to_string(track[8]) + ' ' + std::to_string(start) + ((track[21] & 0x80) != 0 ? " 0 " : " 1 ") +
            word(track + 9, 12) + '\n';
  }
  return {};
}

/// The comments (section 8.6): a vendor's name and a list of NAME=value, each with its length, low byte first.
bool readComments(const unsigned char *body, int64_t length, lunara_tags &tags, Properties &properties) {
  std::string_view rest(reinterpret_cast<const char *>(body), static_cast<size_t>(length));
  const auto number = [&rest](uint32_t &value) {
    if (rest.size() < 4) return false;
    const auto *bytes = reinterpret_cast<const unsigned char *>(rest.data());
    value = bytes[0] | bytes[1] << 8 | bytes[2] << 16 | static_cast<uint32_t>(bytes[3]) << 24;
    rest.remove_prefix(4);
    return true;
  };
  uint32_t size = 0, count = 0;
  if (!number(size) || size > rest.size()) return false;
  rest.remove_prefix(size);
  if (!number(count)) return false;
  for (uint32_t index = 0; index < count; ++index) {
    if (!number(size) || size > rest.size()) return false;
    const std::string_view entry = rest.substr(0, size);
    rest.remove_prefix(size);
    const size_t equals = entry.find('=');
    if (equals == std::string_view::npos || equals == 0) continue;
    const std::string_view name = entry.substr(0, equals);
    if (isName(name, "METADATA_BLOCK_PICTURE") || isName(name, "COVERART")) {
      tags.has_picture = 1;
    } else {
      properties.append(name, entry.substr(equals + 1));
    }
  }
  return true;
}

}  // namespace

bool skimFLAC(int descriptor, int64_t size, std::vector<char> &buffer, lunara_tags &tags, Properties &properties) {
  Window window(descriptor, size, buffer);
  const unsigned char *magic = window.at(0, 4, firstRead);
  if (magic == nullptr || std::memcmp(magic, "fLaC", 4) != 0) return false;
  FLACStream stream;
  int64_t lastPoint = -1;
  bool hasComments = false;
  int64_t offset = 4;
  for (bool isLast = false; !isLast;) {
    const unsigned char *header = window.at(offset, 4, headerRead);
    if (header == nullptr) return false;
    isLast = (header[0] & 0x80) != 0;
    const int kind = header[0] & 0x7f;
    const int64_t length = header[1] << 16 | header[2] << 8 | header[3];
    offset += 4;
    if (kind == invalid || length > size - offset) return false;
    if (kind == streamInformation) {
      tags.codec = "flac";
      tags.is_lossless = 1;
      const unsigned char *body = length < streamInformationLength ? nullptr : window.at(offset, length, length);
      if (body == nullptr) return false;
      readStreamInformation(body, stream, tags);
    } else if (kind == seekTable && length > 0 && length <= longestSeekTable) {
      const unsigned char *body = window.at(offset, length, length);
      if (body == nullptr) return false;
      lastPoint = lastSeekPoint(body, length);
    } else if (kind == comments && !hasComments) {
      const unsigned char *body = length > longestComments ? nullptr : window.at(offset, length, length);
      if (body == nullptr || !readComments(body, length, tags, properties)) return false;
      hasComments = true;
    } else if (kind == cueSheet && length <= longestCueSheet && tags.sample_rate > 0) {
      const unsigned char *body = window.at(offset, length, length);
      if (body == nullptr) return false;
      const std::string sheet = readCueSheet(body, length, stream, tags.sample_rate);
      if (!sheet.empty()) properties.append("FLAC:CUESHEET", sheet);
    } else if (kind == picture) {
      tags.has_picture = 1;
    }
    offset += length;
    // The rest is padding for the most part: a look at it could cost a disk another turn. Only the image of a disc may
    // have a sheet there.
    if (hasComments && tags.has_picture != 0 && tags.sample_rate > 0 && tags.duration <= longestSong) break;
  }
  if (tags.duration > 0) tags.bit_rate = static_cast<int>((size - offset) * 8 / tags.duration);
  if (!hasComments || tags.sample_rate <= 0) return false;
  // A point near the end tells enough, so that a disk needs no turn for the last frame; the table is free.
  const bool isCut = lastPoint >= 0 ? lastPoint >= size - offset : endsEarly(descriptor, size, stream, buffer);
  tags.is_truncated = isCut ? 1 : 0;
  return true;
}
