#include "DSDFile.h"

#include <audioproperties.h>

#include <algorithm>
#include <functional>

using namespace TagLib;

namespace {

/// The most chunks that are looked at.
constexpr int mostChunks = 1000;
/// The longest text of a chunk that is read.
constexpr uint64_t longestText = 4096;

/// The text of a chunk of edited information, which names no encoding.
String text(const ByteVector &bytes) {
  const String text(bytes, String::UTF8);
  return (text.isEmpty() ? String(bytes, String::Latin1) : text).stripWhiteSpace();
}

}  // namespace

/// TagLib's own class of properties knows no lengths in milliseconds.
class DSDFile::Properties : public AudioProperties {
 public:
  Properties() : AudioProperties(AudioProperties::Fast) {}

  int length() const override { return static_cast<int>(duration / 1000); }
  int bitrate() const override { return static_cast<int>(static_cast<int64_t>(rate) * channelCount / 1000); }
  int sampleRate() const override { return rate; }
  int channels() const override { return channelCount; }

  /// The length of so many samples of each channel.
  void setSamples(uint64_t samples) {
    if (rate > 0 && samples < (1ULL << 50)) duration = static_cast<int64_t>(samples * 1000 / static_cast<uint64_t>(rate));
  }

  int64_t duration = 0;
  int rate = 0;
  int channelCount = 0;
};

DSDFile::DSDFile(IOStream *stream) : File(stream), properties(new Properties()) {
  seek(0);
  if (readBlock(4) == "DSD ") {
    readDSF();
  } else {
    readDSDIFF();
  }
  if (id3 == nullptr) id3.reset(new ID3v2::Tag());
  setValid(properties->rate > 0 && properties->channelCount > 0);
}

DSDFile::~DSDFile() = default;

bool DSDFile::isDSD(IOStream &stream) {
  stream.seek(0);
  const ByteVector head = stream.readBlock(16);
  stream.seek(0);
  return head.startsWith("DSD ") || (head.startsWith("FRM8") && head.mid(12, 4) == "DSD ");
}

AudioProperties *DSDFile::audioProperties() const { return properties.get(); }

int64_t DSDFile::duration() const { return properties->duration; }

uint64_t DSDFile::number(const ByteVector &bytes, unsigned int at, unsigned int count, bool isBigEndian) const {
  uint64_t value = 0;
  for (unsigned int index = 0; index < count; ++index) {
    const unsigned int place = at + (isBigEndian ? index : count - 1 - index);
    value = value << 8 | (place < bytes.size() ? static_cast<unsigned char>(bytes[place]) : 0U);
  }
  return value;
}

/// Three headers: of the file with the place of the tag, of the format, and of the samples.
void DSDFile::readDSF() {
  seek(0);
  const ByteVector head = readBlock(28 + 52);
  if (head.size() < 80 || !head.mid(28).startsWith("fmt ")) return;
  properties->channelCount = static_cast<int>(std::min<uint64_t>(number(head, 28 + 24, 4, false), 64));
  properties->rate = static_cast<int>(std::min<uint64_t>(number(head, 28 + 28, 4, false), 1 << 30));
  properties->setSamples(number(head, 28 + 36, 8, false));
  const uint64_t place = number(head, 20, 8, false);
  if (place > 0 && place < static_cast<uint64_t>(length())) readTag(static_cast<int64_t>(place));
}

/// Chunks, each with its name, its length and a byte more where that is odd.
void DSDFile::readDSDIFF() {
  uint64_t samples = 0, frames = 0, frameRate = 0;
  int64_t position = 16;
  for (int index = 0; index < mostChunks && position + 12 <= length(); ++index) {
    seek(static_cast<long>(position));
    const ByteVector head = readBlock(12);
    if (head.size() < 12) break;
    const int64_t start = position + 12;
    // The sound of a file that was cut is longer than the file.
    const int64_t size = static_cast<int64_t>(std::min(number(head, 4, 8, true), uint64_t{1} << 50));
    const int64_t end = std::min(start + size, static_cast<int64_t>(length()));
    if (head.startsWith("PROP")) {
      readProperties(start, end);
    } else if (head.startsWith("DSD ")) {
      samples = static_cast<uint64_t>(size) * 8;
    } else if (head.startsWith("DST ")) {
      // Its first chunk has the number of compressed frames, and how many of them are a second.
      const ByteVector first = readBlock(18);
      if (first.startsWith("FRTE")) {
        frames = number(first, 12, 4, true);
        frameRate = number(first, 16, 2, true);
      }
    } else if (head.startsWith("ID3 ")) {
      readTag(start);
    } else if (head.startsWith("DIIN")) {
      readEdited(start, end);
    }
    position = start + size + size % 2;
  }
  if (frames > 0 && frameRate > 0) {
    properties->setSamples(frames * static_cast<uint64_t>(properties->rate) / frameRate);
  } else if (properties->channelCount > 0) {
    properties->setSamples(samples / static_cast<uint64_t>(properties->channelCount));
  }
}

/// Reads the sample rate and the number of channels.
void DSDFile::readProperties(int64_t position, int64_t end) {
  position += 4;
  for (int index = 0; index < mostChunks && position + 12 <= end; ++index) {
    seek(static_cast<long>(position));
    const ByteVector head = readBlock(16);
    if (head.startsWith("FS  ")) properties->rate = static_cast<int>(std::min<uint64_t>(number(head, 12, 4, true), 1 << 30));
    if (head.startsWith("CHNL")) properties->channelCount = static_cast<int>(std::min<uint64_t>(number(head, 12, 2, true), 64));
    const int64_t size = static_cast<int64_t>(std::min(number(head, 4, 8, true), uint64_t{1} << 40));
    position += 12 + size + size % 2;
  }
}

/// Reads the artist and the title from the edited information. A tag has more, so it counts where it comes.
void DSDFile::readEdited(int64_t position, int64_t end) {
  for (int index = 0; index < mostChunks && position + 12 <= end; ++index) {
    seek(static_cast<long>(position));
    const ByteVector head = readBlock(16);
    const uint64_t size = std::min(number(head, 4, 8, true), uint64_t{1} << 40);
    const uint64_t count = std::min(number(head, 12, 4, true), longestText);
    const bool isArtist = head.startsWith("DIAR"), isTitle = head.startsWith("DITI");
    if ((isArtist || isTitle) && count + 4 <= size) {
      if (id3 == nullptr) id3.reset(new ID3v2::Tag());
      const String value = text(readBlock(static_cast<unsigned long>(count)));
      if (isArtist && id3->artist().isEmpty()) id3->setArtist(value);
      if (isTitle && id3->title().isEmpty()) id3->setTitle(value);
    }
    position += 12 + static_cast<int64_t>(size + size % 2);
  }
}

void DSDFile::readTag(int64_t position) {
  const std::unique_ptr<ID3v2::Tag> edited = std::move(id3);
  id3.reset(new ID3v2::Tag(this, static_cast<long>(position)));
  if (edited == nullptr) return;
  if (id3->artist().isEmpty()) id3->setArtist(edited->artist());
  if (id3->title().isEmpty()) id3->setTitle(edited->title());
}
