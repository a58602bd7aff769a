#include "AllTags.h"

#include <aifffile.h>
#include <apefile.h>
#include <apetag.h>
#include <asffile.h>
#include <attachedpictureframe.h>
#include <commentsframe.h>
#include <flacfile.h>
#include <id3v1tag.h>
#include <id3v2header.h>
#include <id3v2tag.h>
#include <infotag.h>
#include <mp4file.h>
#include <mpcfile.h>
#include <mpegfile.h>
#include <oggfile.h>
#include <popularimeterframe.h>
#include <privateframe.h>
#include <textidentificationframe.h>
#include <tpropertymap.h>
#include <trueaudiofile.h>
#include <uniquefileidentifierframe.h>
#include <unsynchronizedlyricsframe.h>
#include <urllinkframe.h>
#include <wavfile.h>
#include <wavpackfile.h>
#include <xiphcomment.h>

#include <algorithm>

#include "DSDFile.h"
#include "MoreProperties.h"

namespace {

using namespace TagLib;

constexpr size_t longestValue = 4 << 10;
constexpr size_t longestText = 64 << 10;

/// Values in the form in which they leave for Swift.
class Listing {
 public:
  explicit Listing(std::string &text) : text(text) {}

  /// Adds a text, and cuts it where it is too long.
  void add(const std::string &kind, const String &name, const String &value) {
    std::string words = value.to8Bit(true);
    if (words.size() <= longestValue) return append(kind, name, words, "");
    const std::string length = std::to_string(words.size());
    size_t end = longestValue;
    // A character that would be torn is left out.
    while (end > 0 && (static_cast<unsigned char>(words[end]) & 0xC0) == 0x80) --end;
    words.resize(end);
    append(kind, name, words, length);
  }

  void add(const std::string &kind, const String &name, const StringList &values) {
    for (const auto &value : values) add(kind, name, value);
  }

  /// Adds the length of data that are no text, and what they are.
  void addData(const std::string &kind, const String &name, unsigned int length, const String &description = String()) {
    append(kind, name, description.to8Bit(true).substr(0, 200), std::to_string(length));
  }

  void finish() {
    if (omitted > 0) text.append(3, '\0').append(std::to_string(omitted)).push_back('\0');
  }

 private:
  void append(const std::string &kind, const String &name, const std::string &value, const std::string &length) {
    const std::string key = name.to8Bit(true).substr(0, 200);
    if (text.size() + kind.size() + key.size() + value.size() + length.size() + 4 > longestText) {
      ++omitted;
      return;
    }
    for (const auto *part : {&kind, &key, &value, &length}) {
      const size_t start = text.size();
      text += *part;
      std::replace(text.begin() + static_cast<long>(start), text.end(), '\0', ' ');
      text += '\0';
    }
  }

  std::string &text;
  size_t omitted = 0;
};

String joined(const char *id, const String &description) {
  return description.isEmpty() ? String(id) : String(id) + ":" + description;
}

String pictureDescription(const String &type, const String &description) {
  return description.isEmpty() ? type : type + ", " + description;
}

template <typename Frame>
const Frame *as(const ID3v2::Frame *frame) {
  return dynamic_cast<const Frame *>(frame);
}

/// The values of a frame (ID3v2.4, section 4); what it is about follows its id after a colon.
void add(const ID3v2::Frame *frame, const std::string &kind, Listing &listing) {
  const ByteVector bytes = frame->frameID();
  const std::string id(bytes.data(), bytes.size());
  if (const auto *user = as<ID3v2::UserTextIdentificationFrame>(frame)) {
    StringList values = user->fieldList();
    // The first field is the description.
    if (!values.isEmpty()) values.erase(values.begin());
    return listing.add(kind, joined(id.c_str(), user->description()), values);
  }
  if (const auto *text = as<ID3v2::TextIdentificationFrame>(frame)) {
    return listing.add(kind, id, text->fieldList());
  }
  if (const auto *comment = as<ID3v2::CommentsFrame>(frame)) {
    return listing.add(kind, joined(id.c_str(), comment->description()), comment->text());
  }
  if (const auto *lyrics = as<ID3v2::UnsynchronizedLyricsFrame>(frame)) {
    return listing.add(kind, joined(id.c_str(), lyrics->description()), lyrics->text());
  }
  if (const auto *link = as<ID3v2::UserUrlLinkFrame>(frame)) {
    return listing.add(kind, joined(id.c_str(), link->description()), link->url());
  }
  if (const auto *link = as<ID3v2::UrlLinkFrame>(frame)) return listing.add(kind, id, link->url());
  if (const auto *identifier = as<ID3v2::UniqueFileIdentifierFrame>(frame)) {
    const ByteVector value = identifier->identifier();
    const bool isText = std::all_of(value.begin(), value.end(), [](char letter) { return letter >= 32; });
    const String name = joined(id.c_str(), identifier->owner());
    return isText ? listing.add(kind, name, String(value)) : listing.addData(kind, name, value.size());
  }
  if (const auto *popularity = as<ID3v2::PopularimeterFrame>(frame)) {
    return listing.add(
        kind, joined(id.c_str(), popularity->email()),
        String::number(popularity->rating()) + ", " + String(std::to_string(popularity->counter())) + " plays");
  }
  if (const auto *data = as<ID3v2::PrivateFrame>(frame)) {
    return listing.addData(kind, joined(id.c_str(), data->owner()), data->data().size());
  }
  if (const auto *picture = as<ID3v2::AttachedPictureFrame>(frame)) {
    return listing.addData(
        kind, id, picture->picture().size(), pictureDescription(picture->mimeType(), picture->description()));
  }
  const String shown = frame->toString();
  shown.isEmpty() ? listing.addData(kind, id, frame->size()) : listing.add(kind, id, shown);
}

void add(const ID3v2::Tag *tag, Listing &listing) {
  if (tag == nullptr) return;
  const std::string kind = "ID3v2." + std::to_string(tag->header()->majorVersion());
  for (const auto *frame : tag->frameList()) add(frame, kind, listing);
}

void add(const ID3v1::Tag *tag, Listing &listing) {
  if (tag == nullptr || tag->isEmpty()) return;
  const auto text = [&](const char *name, const String &value) {
    if (!value.isEmpty()) listing.add("ID3v1", name, value);
  };
  text("title", tag->title());
  text("artist", tag->artist());
  text("album", tag->album());
  if (tag->year() > 0) text("year", String(std::to_string(tag->year())));
  if (tag->track() > 0) text("track", String(std::to_string(tag->track())));
  text("genre", tag->genre());
  text("comment", tag->comment());
}

void add(const APE::Tag *tag, Listing &listing) {
  if (tag == nullptr) return;
  for (const auto &entry : tag->itemListMap()) {
    const auto &item = entry.second;
    if (item.type() == APE::Item::Binary) {
      listing.addData("APE", item.key(), item.binaryData().size());
    } else {
      listing.add("APE", item.key(), item.values());
    }
  }
}

void add(const FLAC::Picture *picture, Listing &listing) {
  listing.addData("FLAC", "PICTURE", picture->data().size(),
                  pictureDescription(picture->mimeType(), picture->description()));
}

void add(Ogg::XiphComment *comment, Listing &listing) {
  if (comment == nullptr) return;
  for (const auto &field : comment->fieldListMap()) listing.add("Vorbis", field.first, field.second);
  for (const auto *picture : comment->pictureList()) {
    listing.addData("Vorbis", "METADATA_BLOCK_PICTURE", picture->data().size(),
                    pictureDescription(picture->mimeType(), picture->description()));
  }
}

/// The values of an item, whose type only its atom tells.
void add(const String &name, const MP4::Item &item, Listing &listing) {
  const std::string kind = "MP4";
  if (name == "covr") {
    for (const auto &cover : item.toCoverArtList()) {
      const char *type = cover.format() == MP4::CoverArt::PNG ? "image/png" : "image/jpeg";
      listing.addData(kind, name, cover.data().size(), type);
    }
  } else if (name == "trkn" || name == "disk") {
    const auto pair = item.toIntPair();
    const String number = String::number(pair.first);
    listing.add(kind, name, pair.second > 0 ? number + "/" + String::number(pair.second) : number);
  } else if (name == "cpil" || name == "pgap" || name == "pcst" || name == "shwm") {
    listing.add(kind, name, item.toBool() ? "1" : "0");
  } else if (item.atomDataType() == MP4::TypeInteger || name == "tmpo" || name == "rtng" || name == "stik") {
    const bool isByte = name == "rtng" || name == "stik" || name == "akID" || name == "hdvd";
    const bool isLong = name == "plID";
    const long long number = isByte ? item.toByte() : isLong ? item.toLongLong() : item.toInt();
    listing.add(kind, name, String(std::to_string(number)));
  } else {
    const StringList texts = item.toStringList();
    if (!texts.isEmpty()) return listing.add(kind, name, texts);
    for (const auto &data : item.toByteVectorList()) listing.addData(kind, name, data.size());
  }
}

void add(const MP4::Tag *tag, Listing &listing) {
  if (tag == nullptr) return;
  for (const auto &item : tag->itemMap()) add(item.first, item.second, listing);
}

/// The values of the fields of the header, then the attributes.
void add(const ASF::Tag *tag, Listing &listing) {
  if (tag == nullptr) return;
  const auto text = [&](const char *name, const String &value) {
    if (!value.isEmpty()) listing.add("ASF", name, value);
  };
  text("Title", tag->title());
  text("Author", tag->artist());
  text("Copyright", tag->copyright());
  text("Description", tag->comment());
  text("Rating", tag->rating());
  for (const auto &attributes : tag->attributeListMap()) {
    for (const auto &attribute : attributes.second) {
      if (attribute.type() == ASF::Attribute::BytesType || attribute.type() == ASF::Attribute::GuidType) {
        const ASF::Picture picture = attribute.toPicture();
        const bool isPicture = attributes.first == "WM/Picture" && picture.isValid();
        listing.addData("ASF", attributes.first, static_cast<unsigned int>(attribute.toByteVector().size()),
                        isPicture ? pictureDescription(picture.mimeType(), picture.description()) : String());
      } else {
        listing.add("ASF", attributes.first, attribute.toString());
      }
    }
  }
}

void add(RIFF::Info::Tag *tag, Listing &listing) {
  if (tag == nullptr) return;
  for (const auto &field : tag->fieldListMap()) {
    listing.add("RIFF INFO", String(field.first), field.second);
  }
}

/// The tags of those kinds of files that have several beside each other; false for another kind.
bool addParts(File &file, Listing &listing) {
  if (auto *mpeg = dynamic_cast<MPEG::File *>(&file)) {
    if (mpeg->hasID3v2Tag()) add(mpeg->ID3v2Tag(), listing);
    if (mpeg->hasAPETag()) add(mpeg->APETag(), listing);
    if (mpeg->hasID3v1Tag()) add(mpeg->ID3v1Tag(), listing);
  } else if (auto *flac = dynamic_cast<FLAC::File *>(&file)) {
    if (flac->hasXiphComment()) add(flac->xiphComment(), listing);
    for (const auto *picture : flac->pictureList()) add(picture, listing);
    if (flac->hasID3v2Tag()) add(flac->ID3v2Tag(), listing);
    if (flac->hasID3v1Tag()) add(flac->ID3v1Tag(), listing);
  } else if (auto *wave = dynamic_cast<RIFF::WAV::File *>(&file)) {
    if (wave->hasID3v2Tag()) add(wave->ID3v2Tag(), listing);
    if (wave->hasInfoTag()) add(wave->InfoTag(), listing);
  } else if (auto *aiff = dynamic_cast<RIFF::AIFF::File *>(&file)) {
    if (aiff->hasID3v2Tag()) add(aiff->tag(), listing);
  } else if (auto *trueAudio = dynamic_cast<TrueAudio::File *>(&file)) {
    if (trueAudio->hasID3v2Tag()) add(trueAudio->ID3v2Tag(), listing);
    if (trueAudio->hasID3v1Tag()) add(trueAudio->ID3v1Tag(), listing);
  } else if (auto *dsd = dynamic_cast<DSDFile *>(&file)) {
    add(dsd->ID3v2Tag(), listing);
  } else if (auto *monkey = dynamic_cast<APE::File *>(&file)) {
    if (monkey->hasAPETag()) add(monkey->APETag(), listing);
    if (monkey->hasID3v1Tag()) add(monkey->ID3v1Tag(), listing);
  } else if (auto *wavPack = dynamic_cast<WavPack::File *>(&file)) {
    if (wavPack->hasAPETag()) add(wavPack->APETag(), listing);
    if (wavPack->hasID3v1Tag()) add(wavPack->ID3v1Tag(), listing);
  } else if (auto *musepack = dynamic_cast<MPC::File *>(&file)) {
    if (musepack->hasAPETag()) add(musepack->APETag(), listing);
    if (musepack->hasID3v1Tag()) add(musepack->ID3v1Tag(), listing);
  } else if (auto *mp4 = dynamic_cast<MP4::File *>(&file)) {
    add(mp4->tag(), listing);
  } else if (auto *asf = dynamic_cast<ASF::File *>(&file)) {
    add(asf->tag(), listing);
  } else {
    return false;
  }
  return true;
}

}  // namespace

void appendAllTags(File &file, std::string &text) {
  Listing listing(text);
  if (!addParts(file, listing)) {
    if (auto *comment = dynamic_cast<Ogg::XiphComment *>(file.tag())) {
      add(comment, listing);
    } else {
      for (const auto &property : file.properties()) listing.add("TagLib", property.first, property.second);
    }
  }
  listing.finish();
}
