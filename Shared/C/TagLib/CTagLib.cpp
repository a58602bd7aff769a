#include "CTagLib.h"

#include <audioproperties.h>
#include <fileref.h>
#include <mpegfile.h>
#include <oggflacfile.h>
#include <oggpageheader.h>
#include <tpropertymap.h>
#include <xingheader.h>

#include <cerrno>
#include <cstring>
#include <new>

#include "AllTags.h"
#include "DSDFile.h"
#include "DescriptorStream.h"
#include "Encoding.h"
#include "FLACSkim.h"
#include "FrameCount.h"
#include "LegacyText.h"
#include "Lyrics.h"
#include "MoreProperties.h"
#include "Pictures.h"
#include "Properties.h"

struct lunara_tag_reader {
  std::vector<char> window;
  std::string text;
  TagLib::ByteVector picture;
};

namespace {

constexpr size_t windowSize = 16384;
constexpr int64_t sizeTolerance = 16384;

bool endsWith(const char *name, const char *ending) {
  const size_t length = strlen(name), tail = strlen(ending);
  return length >= tail && strcasecmp(name + length - tail, ending) == 0;
}

/// Runs `body` and turns what it throws into an outcome: no exception crosses into C.
template <typename Body>
lunara_tag_outcome guarded(Body body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return LUNARA_TAG_NO_MEMORY;
  } catch (...) {
    return LUNARA_TAG_BROKEN;
  }
}

/// Opens a file as what its name or contents say and hands it to `body`.
template <typename Body>
lunara_tag_outcome withFile(
    lunara_tag_reader &reader, int descriptor, const char *name, int64_t size, int &error, Body body) {
  reader.window.resize(windowSize);
  DescriptorStream stream(descriptor, name, static_cast<long>(size), reader.window);
  if (DSDFile::isDSD(stream)) {
    DSDFile file(&stream);
    error = stream.error();
    if (error != 0) return LUNARA_TAG_UNREADABLE;
    return file.isValid() ? body(file) : LUNARA_TAG_BROKEN;
  }
  const TagLib::FileRef file(&stream, true, TagLib::AudioProperties::Fast);
  error = stream.error();
  if (error != 0) return LUNARA_TAG_UNREADABLE;
  if (file.file() == nullptr) return LUNARA_TAG_UNKNOWN_FORMAT;
  if (!file.file()->isValid()) return LUNARA_TAG_BROKEN;
  return body(*file.file());
}

/// Compares the size of a file of MPEG frames with that which its header states, or corrects length and bit rate of one
/// without a header: TagLib then takes the first
/// frame's bit rate for that of all.
void measureFrames(lunara_tag_reader &reader, int descriptor, int64_t size, TagLib::File &file, lunara_tags &tags) {
  auto *mpeg = dynamic_cast<TagLib::MPEG::File *>(&file);
  if (mpeg == nullptr) return;
  if (const auto *header = mpeg->audioProperties()->xingHeader()) {
    // The size is that of all frames. Some programs count a frame more or less, or tags.
    const int64_t stated = header->totalSize();
    if (stated > size - mpeg->firstFrameOffset() + sizeTolerance) tags.is_truncated = 1;
    return;
  }
  FrameCount count{};
  if (!countFrames(descriptor, mpeg->firstFrameOffset(), size, reader.window, count) || count.duration <= 0) return;
  tags.duration = count.duration;
  tags.bit_rate = static_cast<int>(count.bytes * 8 / count.duration);
}

/// Takes the length of FLAC in Ogg from the position of the last page where the header does not state it, as in a stream
/// that was written while it was made.
void measurePages(int64_t size, TagLib::File &file, lunara_tags &tags) {
  auto *ogg = dynamic_cast<TagLib::Ogg::FLAC::File *>(&file);
  if (ogg == nullptr || tags.duration > 0) return;
  const auto *page = ogg->lastPageHeader();
  if (page == nullptr || !page->isValid() || page->absoluteGranularPosition() <= 0) return;
  tags.duration = static_cast<int64_t>(static_cast<double>(page->absoluteGranularPosition()) * 1000 / tags.sample_rate);
  if (tags.duration > 0) tags.bit_rate = static_cast<int>(size * 8 / tags.duration);
}

}  // namespace

lunara_tag_reader *lunara_tag_reader_make(void) { return new (std::nothrow) lunara_tag_reader(); }

void lunara_tag_reader_free(lunara_tag_reader *reader) { delete reader; }

bool lunara_tag_reader_add_encoding(const char *name) {
  try {
    return LegacyText::add(name);
  } catch (const std::bad_alloc &) {
    return false;
  }
}

void lunara_tag_reader_choose_encoding(unsigned encoding) { LegacyText::choose(encoding); }

lunara_tag_outcome lunara_tags_read(
    lunara_tag_reader *reader, int descriptor, const char *name, int64_t size, lunara_tags *tags) {
  return guarded([=] {
    *tags = {};
    Properties properties(reader->text);
    const auto publish = [=, &properties] {
      if (properties.hasLyrics) tags->has_lyrics = 1;
      if (properties.hasTimedLyrics) tags->has_timed_lyrics = 1;
      tags->text = reader->text.data();
      tags->text_length = reader->text.size();
      return LUNARA_TAG_OK;
    };
    if (reader->window.size() < windowSize) reader->window.resize(windowSize);
    if (endsWith(name, ".flac") && skimFLAC(descriptor, size, reader->window, *tags, properties)) return publish();
    *tags = {};
    properties.clear();
    return withFile(*reader, descriptor, name, size, tags->system_error, [&](TagLib::File &file) {
      const auto *audio = file.audioProperties();
      if (audio == nullptr || audio->sampleRate() <= 0) return LUNARA_TAG_BROKEN;
      tags->duration = audio->lengthInMilliseconds();
      tags->bit_rate = audio->bitrate();
      tags->sample_rate = audio->sampleRate();
      tags->channels = audio->channels();
      if (const auto *dsd = dynamic_cast<const DSDFile *>(&file)) tags->duration = dsd->duration();
      measureFrames(*reader, descriptor, size, file, *tags);
      measurePages(size, file, *tags);
      tags->has_picture = hasCover(file) ? 1 : 0;
      const Encoding found = encoding(file);
      tags->codec = found.codec;
      tags->bit_depth = found.bitDepth;
      tags->is_lossless = found.isLossless ? 1 : 0;
      tags->is_hybrid = found.isHybrid ? 1 : 0;
      tags->has_legacy_text = hasLegacyText(file) ? 1 : 0;
      if (hasTimedLyricsFrame(file)) tags->has_timed_lyrics = 1;
      for (const auto &property : allProperties(file)) properties.append(property.first, property.second);
      return publish();
    });
  });
}

lunara_tag_outcome lunara_picture_read(
    lunara_tag_reader *reader, int descriptor, const char *name, int64_t size, lunara_picture *picture) {
  return guarded([=] {
    *picture = {};
    return withFile(*reader, descriptor, name, size, picture->system_error, [&](TagLib::File &file) {
      bool passedOver = false;
      reader->picture = cover(file, &passedOver);
      picture->passed_over = passedOver ? 1 : 0;
      if (!reader->picture.isEmpty()) {
        picture->bytes = reinterpret_cast<const uint8_t *>(reader->picture.data());
        picture->length = reader->picture.size();
      }
      return LUNARA_TAG_OK;
    });
  });
}

lunara_tag_outcome lunara_lyrics_read(
    lunara_tag_reader *reader, int descriptor, const char *name, int64_t size, lunara_lyrics *lyrics) {
  return guarded([=] {
    *lyrics = {};
    reader->text.clear();
    return withFile(*reader, descriptor, name, size, lyrics->system_error, [&](TagLib::File &file) {
      appendLyrics(file, reader->text);
      if (!reader->text.empty()) {
        lyrics->text = reader->text.data();
        lyrics->length = reader->text.size();
      }
      return LUNARA_TAG_OK;
    });
  });
}

lunara_tag_outcome lunara_all_tags_read(
    lunara_tag_reader *reader, int descriptor, const char *name, int64_t size, lunara_all_tags *tags) {
  return guarded([=] {
    *tags = {};
    reader->text.clear();
    return withFile(*reader, descriptor, name, size, tags->system_error, [&](TagLib::File &file) {
      appendAllTags(file, reader->text);
      if (!reader->text.empty()) {
        tags->text = reader->text.data();
        tags->length = reader->text.size();
      }
      return LUNARA_TAG_OK;
    });
  });
}
