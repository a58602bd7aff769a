#include "Pictures.h"

#include <aifffile.h>
#include <apefile.h>
#include <apetag.h>
#include <asffile.h>
#include <attachedpictureframe.h>
#include <flacfile.h>
#include <id3v2tag.h>
#include <mp4file.h>
#include <mpcfile.h>
#include <mpegfile.h>
#include <trueaudiofile.h>
#include <wavfile.h>
#include <wavpackfile.h>
#include <xiphcomment.h>

#include <algorithm>
#include <string_view>

#include "DSDFile.h"

namespace {

/// The kinds of picture as ID3v2.4 (section 4.14) numbers them; FLAC and ASF use the same numbers.
enum Kind { other = 0, fileIcon = 1, otherFileIcon = 2, frontCover = 3 };

bool startsWith(const TagLib::ByteVector &bytes, std::string_view start) {
  return bytes.size() >= start.size() && std::equal(start.begin(), start.end(), bytes.begin());
}

/// Returns true if a mark stands among the last bytes; some programs leave a few behind it.
bool endsNear(const TagLib::ByteVector &bytes, std::string_view mark) {
  constexpr unsigned int tail = 4096;
  const auto from = bytes.begin() + (bytes.size() > tail ? bytes.size() - tail : 0);
  return std::search(from, bytes.end(), mark.begin(), mark.end()) != bytes.end();
}

/// Returns true if a picture has the marks of a known format at both ends, where it has some there. It may be damaged
/// between them.
bool seemsWhole(const TagLib::ByteVector &bytes) {
  using namespace std::string_view_literals;
  if (startsWith(bytes, "\xFF\xD8\xFF"sv)) return endsNear(bytes, "\xFF\xD9"sv);
  if (startsWith(bytes, "\x89PNG\r\n\x1A\n"sv)) return endsNear(bytes, "IEND"sv);
  if (startsWith(bytes, "GIF8"sv)) return endsNear(bytes, "\0;"sv);
  if (startsWith(bytes, "RIFF"sv)) return bytes.size() > 12 && bytes.toUInt(4, false) <= bytes.size() - 8;
  return bytes.size() > 12 && bytes.containsAt("ftyp", 4);
}

/// The best of the pictures that it is shown: of those that seem whole a front cover, else one of no kind, else the
/// first; else one that does not.
class Choice {
 public:
  /// Returns true once nothing better can come.
  bool consider(int kind, const TagLib::ByteVector &bytes) {
    if (bytes.isEmpty() || kind == fileIcon || kind == otherFileIcon) return false;
    const int kindRank = kind == frontCover ? 3 : kind == other ? 2 : 1;
    const bool isWhole = seemsWhole(bytes);
    if (!isWhole && kindRank > brokenRank) brokenRank = kindRank;
    const int rank = kindRank + (isWhole ? 3 : 0);
    if (rank > bestRank) {
      best = bytes;
      bestRank = rank;
    }
    return isWhole && kind == frontCover;
  }

  /// Returns true if a picture that would have been better is not whole.
  bool passedOver() const { return bestRank > 3 && brokenRank > bestRank - 3; }

  TagLib::ByteVector best;

 private:
  int bestRank = 0;
  int brokenRank = 0;
};

void consider(TagLib::ID3v2::Tag *tag, Choice &choice) {
  if (tag == nullptr) return;
  for (auto *frame : tag->frameList("APIC")) {
    const auto *picture = dynamic_cast<const TagLib::ID3v2::AttachedPictureFrame *>(frame);
    if (picture != nullptr && choice.consider(picture->type(), picture->picture())) return;
  }
}

template <typename List>
void considerAll(const List &pictures, Choice &choice) {
  for (const auto *picture : pictures) {
    if (choice.consider(picture->type(), picture->data())) return;
  }
}

/// An APE item with a picture is its file name, a NUL, and its bytes.
void consider(TagLib::APE::Tag *tag, Choice &choice) {
  if (tag == nullptr) return;
  const auto &items = tag->itemListMap();
  for (const auto &[name, kind] : {std::pair("COVER ART (FRONT)", 3), std::pair("COVER ART", 0)}) {
    const auto item = items.find(name);
    if (item == items.end() || item->second.type() != TagLib::APE::Item::Binary) continue;
    const TagLib::ByteVector bytes = item->second.binaryData();
    const int end = bytes.find('\0');
    if (end >= 0 && choice.consider(kind, bytes.mid(static_cast<unsigned int>(end) + 1))) return;
  }
}

void consider(TagLib::MP4::Tag *tag, Choice &choice) {
  if (tag == nullptr) return;
  for (const auto &picture : tag->item("covr").toCoverArtList()) {
    if (choice.consider(frontCover, picture.data())) return;
  }
}

void consider(TagLib::ASF::Tag *tag, Choice &choice) {
  if (tag == nullptr) return;
  for (const auto &attribute : tag->attribute("WM/Picture")) {
    const auto picture = attribute.toPicture();
    if (picture.isValid() && choice.consider(picture.type(), picture.picture())) return;
  }
}

}  // namespace

TagLib::ByteVector cover(TagLib::File &file, bool *passedOver) {
  using namespace TagLib;
  Choice choice;
  if (auto *mpeg = dynamic_cast<MPEG::File *>(&file)) {
    consider(mpeg->ID3v2Tag(), choice);
    consider(mpeg->APETag(), choice);
  } else if (auto *flac = dynamic_cast<FLAC::File *>(&file)) {
    considerAll(flac->pictureList(), choice);
    if (flac->hasXiphComment()) considerAll(flac->xiphComment()->pictureList(), choice);
    consider(flac->ID3v2Tag(), choice);
  } else if (auto *mp4 = dynamic_cast<MP4::File *>(&file)) {
    consider(mp4->tag(), choice);
  } else if (auto *comment = dynamic_cast<Ogg::XiphComment *>(file.tag())) {
    considerAll(comment->pictureList(), choice);
  } else if (auto *wavpack = dynamic_cast<WavPack::File *>(&file)) {
    consider(wavpack->APETag(), choice);
  } else if (auto *ape = dynamic_cast<APE::File *>(&file)) {
    consider(ape->APETag(), choice);
  } else if (auto *musepack = dynamic_cast<MPC::File *>(&file)) {
    consider(musepack->APETag(), choice);
  } else if (auto *wave = dynamic_cast<RIFF::WAV::File *>(&file)) {
    consider(wave->ID3v2Tag(), choice);
  } else if (auto *aiff = dynamic_cast<RIFF::AIFF::File *>(&file)) {
    consider(aiff->tag(), choice);
  } else if (auto *trueAudio = dynamic_cast<TrueAudio::File *>(&file)) {
    consider(trueAudio->ID3v2Tag(), choice);
  } else if (auto *dsd = dynamic_cast<DSDFile *>(&file)) {
    consider(dsd->ID3v2Tag(), choice);
  } else if (auto *asf = dynamic_cast<ASF::File *>(&file)) {
    consider(asf->tag(), choice);
  }
  if (passedOver != nullptr) *passedOver = choice.passedOver();
  return choice.best;
}

bool hasCover(TagLib::File &file) { return !cover(file).isEmpty(); }
