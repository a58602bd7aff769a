#include "Loudness.h"

#include <apetag.h>
#include <asffile.h>
#include <id3v2tag.h>
#include <mp4file.h>
#include <mpegfile.h>
#include <relativevolumeframe.h>

#include <string>
#include <string_view>

namespace {

constexpr std::string_view prefix = "REPLAYGAIN_";

bool isOfLoudness(std::string_view name) {
  return name.size() > prefix.size() && isName(name.substr(0, prefix.size()), prefix);
}

/// `----:com.apple.iTunes:replaygain_track_gain`, in whatever case.
void append(const TagLib::MP4::Tag *tag, Properties &properties) {
  if (tag == nullptr) return;
  for (const auto &item : tag->itemMap()) {
    const std::string name = item.first.to8Bit(true);
    const size_t colon = name.rfind(':');
    if (name.compare(0, 5, "----:") != 0 || colon == std::string::npos) continue;
    const std::string key = name.substr(colon + 1);
    if (isOfLoudness(key)) properties.append(key, item.second.toStringList());
  }
}

void append(const TagLib::ASF::Tag *tag, Properties &properties) {
  if (tag == nullptr) return;
  for (const auto &attributes : tag->attributeListMap()) {
    const std::string key = attributes.first.to8Bit(true);
    if (!isOfLoudness(key)) continue;
    for (const auto &attribute : attributes.second) properties.append(key, attribute.toString().to8Bit(true));
  }
}

void append(const TagLib::APE::Tag *tag, Properties &properties) {
  if (tag == nullptr) return;
  for (const auto &item : tag->itemListMap()) {
    const std::string key = item.first.to8Bit(true);
    if (isOfLoudness(key)) properties.append(key, item.second.values());
  }
}

/// Frames of ID3v2.4 (section 4.11), told apart by what they are called: `track` or `album`.
void append(const TagLib::ID3v2::Tag *tag, Properties &properties) {
  if (tag == nullptr) return;
  for (const auto *frame : tag->frameList("RVA2")) {
    const auto *volume = dynamic_cast<const TagLib::ID3v2::RelativeVolumeFrame *>(frame);
    if (volume == nullptr) continue;
    const std::string of = volume->identification().to8Bit(true);
    if (!isName(of, "TRACK") && !isName(of, "ALBUM")) continue;
    const float gain = volume->volumeAdjustment(TagLib::ID3v2::RelativeVolumeFrame::MasterVolume);
    properties.append("REPLAYGAIN_" + of + "_GAIN", std::to_string(gain));
  }
}

}  // namespace

void appendLoudness(TagLib::File &file, Properties &properties) {
  using namespace TagLib;
  if (auto *mpeg = dynamic_cast<MPEG::File *>(&file)) {
    // Of several that say the same the first counts: TagLib gave the text frames of the ID3 tag before.
    append(mpeg->APETag(), properties);
    append(mpeg->ID3v2Tag(), properties);
  } else if (auto *mp4 = dynamic_cast<MP4::File *>(&file)) {
    append(mp4->tag(), properties);
  } else if (auto *asf = dynamic_cast<ASF::File *>(&file)) {
    append(asf->tag(), properties);
  }
}
