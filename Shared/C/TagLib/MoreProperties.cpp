#include "MoreProperties.h"

#include <aifffile.h>
#include <apetag.h>
#include <asffile.h>
#include <commentsframe.h>
#include <flacfile.h>
#include <id3v1tag.h>
#include <id3v2tag.h>
#include <infotag.h>
#include <mp4file.h>
#include <mpegfile.h>
#include <popularimeterframe.h>
#include <relativevolumeframe.h>
#include <textidentificationframe.h>
#include <trueaudiofile.h>
#include <unknownframe.h>
#include <wavfile.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "ASFOrder.h"
#include "DSDFile.h"

namespace {

using namespace TagLib;

/// Adds the values of a property that the map lacks.
void addMissing(PropertyMap &map, const String &name, const StringList &values) {
  if (!values.isEmpty() && !map.contains(name)) map.insert(name, values);
}

/// The values of a text frame.
StringList texts(const ID3v2::Tag &tag, const char *id) {
  StringList values;
  for (const auto *frame : tag.frameList(id)) {
    if (const auto *text = dynamic_cast<const ID3v2::TextIdentificationFrame *>(frame)) values.append(text->fieldList());
  }
  return values;
}

/// Returns true for the role of a person who makes a recording and is not heard on it, such as an assistant engineer.
bool isProduction(const String &role) {
  for (const char *word : {"PRODUC", "ENGINEER", "MASTER", "RECORDING", "EDITOR", "DESIGN", "PHOTO", "ARTWORK",
                           "LINER NOTES", "MANAGE", "PUBLISH"}) {
    if (role.find(word) >= 0) return true;
  }
  return false;
}

/// Pairs of what a person did and the person's name (ID3v2.4, section 4.2.2), in any case. Whoever did something else
/// than to produce the recording performed, as ID3v2.3 has one frame for both, and programs write either into it.
void addInvolvedPeople(const ID3v2::Tag &tag, PropertyMap &map) {
  PropertyMap people;
  for (const char *id : {"TIPL", "IPLS"}) {
    const StringList pairs = texts(tag, id);
    for (auto role = pairs.begin(); role != pairs.end(); ++role) {
      const String name = role->upper();
      if (++role == pairs.end()) break;
      if (name == "MIX" || name == "MIXER") {
        people.insert("MIXER", *role);
      } else if (name == "DJ-MIX" || name == "DJMIXER" || name == "DJ MIX") {
        people.insert("DJMIXER", *role);
      } else if (name == "PRODUCER" || name == "ARRANGER" || name == "ENGINEER" || name == "CONDUCTOR" ||
                 name == "COMPOSER" || name == "LYRICIST" || name == "REMIXER" || name == "DIRECTOR" ||
                 name == "WRITER" || name == "PERFORMER") {
        people.insert(name, *role);
      } else if (!name.isEmpty() && !isProduction(name)) {
        people.insert("PERFORMER:" + name, *role);
      }
    }
  }
  for (const auto &person : people) addMissing(map, person.first, person.second);
}

/// The content group is a work for TagLib and Apple. Where the work has a frame of its own, it is a grouping.
void separateGrouping(const ID3v2::Tag &tag, PropertyMap &map) {
  const auto *work = ID3v2::UserTextIdentificationFrame::find(const_cast<ID3v2::Tag *>(&tag), "WORK");
  if (work == nullptr || !tag.frameListMap().contains("TIT1")) return;
  StringList values = work->fieldList();
  // The first field of such a frame is its name.
  if (!values.isEmpty()) values.erase(values.begin());
  map.replace("WORK", values);
  addMissing(map, "GROUPING", texts(tag, "TIT1"));
}

void addCounters(const ID3v2::Tag &tag, PropertyMap &map) {
  for (const auto *frame : tag.frameList("POPM")) {
    const auto *popularity = dynamic_cast<const ID3v2::PopularimeterFrame *>(frame);
    if (popularity == nullptr) continue;
    map.insert("RATING:POPM:" + popularity->email(), String::number(popularity->rating()));
    if (popularity->counter() > 0) {
      map.insert("PLAYCOUNT:POPM", String(std::to_string(popularity->counter())));
    }
  }
  for (const auto *frame : tag.frameList("PCNT")) {
    const auto *unknown = dynamic_cast<const ID3v2::UnknownFrame *>(frame);
    // A number of at least four bytes, the highest first (section 4.16).
    if (unknown == nullptr || unknown->data().size() > 8) continue;
    map.insert("PLAYCOUNT", String(std::to_string(unknown->data().toLongLong(true))));
  }
}

/// The peak of a channel in RVA2: a number of so many bits, the highest first, of which the highest is the sign's.
/// Returns 0 where it was not measured.
double peak(const ID3v2::RelativeVolumeFrame &volume) {
  const auto peak = volume.peakVolume(ID3v2::RelativeVolumeFrame::MasterVolume);
  if (peak.bitsRepresentingPeak < 2 || peak.bitsRepresentingPeak > 64 || peak.peakVolume.isEmpty()) return 0;
  double value = 0;
  for (const char byte : peak.peakVolume) value = value * 256 + static_cast<unsigned char>(byte);
  return value / std::ldexp(1, peak.bitsRepresentingPeak - 1);
}

/// The frame RVA2 (section 4.11) is told apart by what it is called: `track` or `album`.
void addLoudness(const ID3v2::Tag &tag, PropertyMap &map) {
  for (const auto *frame : tag.frameList("RVA2")) {
    const auto *volume = dynamic_cast<const ID3v2::RelativeVolumeFrame *>(frame);
    if (volume == nullptr) continue;
    const String of = volume->identification().upper();
    if (of != "TRACK" && of != "ALBUM") continue;
    const float gain = volume->volumeAdjustment(ID3v2::RelativeVolumeFrame::MasterVolume);
    addMissing(map, "REPLAYGAIN_" + of + "_GAIN", StringList(String(std::to_string(gain))));
    const double highest = peak(*volume);
    if (highest > 0) addMissing(map, "REPLAYGAIN_" + of + "_PEAK", StringList(String(std::to_string(highest))));
  }
}

/// The comment in which iTunes keeps the values of Sound Check.
void addSoundCheck(const ID3v2::Tag &tag, PropertyMap &map) {
  for (const auto *frame : tag.frameList("COMM")) {
    const auto *comment = dynamic_cast<const ID3v2::CommentsFrame *>(frame);
    if (comment == nullptr || comment->description().upper() != "ITUNNORM") continue;
    addMissing(map, "ITUNNORM", StringList(comment->text()));
  }
}

void add(const ID3v2::Tag *tag, PropertyMap &map) {
  if (tag == nullptr) return;
  separateGrouping(*tag, map);
  addMissing(map, "DISCSUBTITLE", texts(*tag, "TSST"));
  addMissing(map, "GROUPING", texts(*tag, "GRP1"));
  addInvolvedPeople(*tag, map);
  addCounters(*tag, map);
  addLoudness(*tag, map);
  addSoundCheck(*tag, map);
}

/// Free-form items such as `----:com.apple.iTunes:replaygain_track_gain`, in whatever case, and a few with codes.
void add(const MP4::Tag *tag, PropertyMap &map) {
  if (tag == nullptr) return;
  for (const auto &item : tag->itemMap()) {
    const int colon = item.first.rfind(":");
    if (item.first.startsWith("----:") && colon >= 0) {
      addMissing(map, item.first.substr(static_cast<unsigned int>(colon) + 1), item.second.toStringList());
    }
  }
  if (tag->contains("rtng")) {
    addMissing(map, "ITUNESADVISORY", StringList(String::number(tag->item("rtng").toByte())));
  }
  if (tag->contains("rate")) addMissing(map, "RATING", tag->item("rate").toStringList());
}

/// Attributes such as `WM/SharedUserRating`, but no pictures.
void add(const ASF::Tag *tag, PropertyMap &map) {
  if (tag == nullptr) return;
  // TagLib gives the year of the original release as its date, also beside the date itself.
  if (tag->contains("WM/OriginalReleaseTime")) map.erase("ORIGINALDATE");
  for (const auto &attributes : tag->attributeListMap()) {
    const int slash = attributes.first.rfind("/");
    // This one is the lyricist, as whom TagLib gives it; the writer has the name without a slash.
    if (attributes.first == "WM/Writer") continue;
    // The first artist has a place of its own in the header; further ones are attributes.
    if (attributes.first == "Author") {
      StringList &artists = map["ARTIST"];
      for (const auto &attribute : attributes.second) {
        if (!artists.contains(attribute.toString())) artists.append(attribute.toString());
      }
      continue;
    }
    const String name = attributes.first.substr(static_cast<unsigned int>(slash + 1));
    StringList values;
    for (const auto &attribute : attributes.second) {
      if (attribute.type() != ASF::Attribute::BytesType) values.append(attribute.toString());
    }
    addMissing(map, name, values);
  }
}

bool isASCII(const String &text) {
  return std::all_of(text.begin(), text.end(), [](wchar_t letter) { return letter < 128; });
}

bool isASCII(const Tag *tag) {
  return tag == nullptr || (isASCII(tag->title()) && isASCII(tag->artist()) && isASCII(tag->album()) &&
                            isASCII(tag->comment()) && isASCII(tag->genre()));
}

}  // namespace

ID3v2::Tag *id3v2(File &file) {
  if (auto *mpeg = dynamic_cast<MPEG::File *>(&file)) return mpeg->ID3v2Tag();
  if (auto *wave = dynamic_cast<RIFF::WAV::File *>(&file)) return wave->ID3v2Tag();
  if (auto *aiff = dynamic_cast<RIFF::AIFF::File *>(&file)) return aiff->tag();
  if (auto *trueAudio = dynamic_cast<TrueAudio::File *>(&file)) return trueAudio->ID3v2Tag();
  if (auto *dsd = dynamic_cast<DSDFile *>(&file)) return dsd->ID3v2Tag();
  if (auto *flac = dynamic_cast<FLAC::File *>(&file)) return flac->hasID3v2Tag() ? flac->ID3v2Tag() : nullptr;
  return nullptr;
}

PropertyMap allProperties(File &file) {
  // Of a class that is not its own, TagLib gives the few properties that all tags have.
  auto *dsd = dynamic_cast<DSDFile *>(&file);
  if (auto *asf = dynamic_cast<ASF::File *>(&file)) orderValues(*asf);
  PropertyMap map = dsd == nullptr ? file.properties() : dsd->ID3v2Tag()->properties();
  add(id3v2(file), map);
  if (auto *mpeg = dynamic_cast<MPEG::File *>(&file)) {
    // TagLib gives the properties of one tag only.
    if (mpeg->hasAPETag()) {
      for (const auto &property : mpeg->APETag()->properties()) addMissing(map, property.first, property.second);
    }
  } else if (auto *mp4 = dynamic_cast<MP4::File *>(&file)) {
    add(mp4->tag(), map);
  } else if (auto *asf = dynamic_cast<ASF::File *>(&file)) {
    add(asf->tag(), map);
  }
  return map;
}

bool hasTimedLyricsFrame(File &file) {
  const auto *tag = id3v2(file);
  return tag != nullptr && tag->frameListMap().contains("SYLT");
}

bool hasLegacyText(File &file) {
  const auto *tag = id3v2(file);
  if (tag != nullptr && !tag->isEmpty()) {
    const auto &frames = tag->frameList();
    return std::any_of(frames.begin(), frames.end(), [](const ID3v2::Frame *frame) {
      const auto *text = dynamic_cast<const ID3v2::TextIdentificationFrame *>(frame);
      return text != nullptr && text->textEncoding() == String::Latin1 && !isASCII(text->toString());
    });
  }
  if (auto *mpeg = dynamic_cast<MPEG::File *>(&file)) {
    return !mpeg->hasAPETag() && mpeg->hasID3v1Tag() && !isASCII(mpeg->ID3v1Tag());
  }
  if (auto *wave = dynamic_cast<RIFF::WAV::File *>(&file)) return wave->hasInfoTag() && !isASCII(wave->InfoTag());
  return false;
}
