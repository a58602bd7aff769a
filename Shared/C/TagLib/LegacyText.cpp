#include "LegacyText.h"

#include <id3v1tag.h>
#include <id3v2tag.h>
#include <infotag.h>

#include <algorithm>
#include <cerrno>
#include <string>

namespace {

using namespace TagLib;

std::vector<iconv_t> converters;
iconv_t chosen = nullptr;

/// The most bytes of one character: what is left of one where a tag of a fixed length cut it.
constexpr size_t longestCharacter = 4;

/// Converts bytes to UTF-8. Returns false where they are not valid in the encoding, but for a last character that is
/// not whole, which is left out: ID3v1 cuts at 30 bytes.
bool convert(iconv_t converter, std::string bytes, std::string &text) {
  iconv(converter, nullptr, nullptr, nullptr, nullptr);
  text.assign(bytes.size() * longestCharacter + longestCharacter, '\0');
  char *in = bytes.data(), *out = text.data();
  size_t inLeft = bytes.size(), outLeft = text.size();
  const bool isWhole = iconv(converter, &in, &inLeft, &out, &outLeft) != static_cast<size_t>(-1);
  if (!isWhole && (errno != EINVAL || inLeft >= longestCharacter)) return false;
  text.resize(text.size() - outLeft);
  return true;
}

/// The text of a value. Where its bytes are not valid in the chosen encoding, they stay Latin-1: a collection has files
/// that other programs tagged, too.
String decoded(const ByteVector &data) {
  const std::string bytes(data.begin(), std::find(data.begin(), data.end(), '\0'));
  std::string text;
  const bool isASCII =
      std::all_of(bytes.begin(), bytes.end(), [](char byte) { return static_cast<unsigned char>(byte) < 128; });
  if (isASCII || chosen == nullptr || !convert(chosen, bytes, text)) return {data, String::Latin1};
  return {text, String::UTF8};
}

struct ID3v2Text : ID3v2::Latin1StringHandler {
  String parse(const ByteVector &data) const override { return decoded(data); }
};

struct ID3v1Text : ID3v1::StringHandler {
  String parse(const ByteVector &data) const override { return decoded(data).stripWhiteSpace(); }
};

/// RIFF INFO states no encoding. Most programs write UTF-8 today, and older ones what their system had.
struct InfoText : RIFF::Info::StringHandler {
  String parse(const ByteVector &data) const override {
    if (isUTF8(data)) return {data, String::UTF8};
    return decoded(data);
  }

  static bool isUTF8(const ByteVector &data) {
    size_t following = 0;
    for (const char letter : data) {
      const auto byte = static_cast<unsigned char>(letter);
      if (following > 0) {
        if ((byte & 0xC0) != 0x80) return false;
        --following;
      } else if (byte >= 0x80) {
        following = (byte & 0xE0) == 0xC0 ? 1 : (byte & 0xF0) == 0xE0 ? 2 : (byte & 0xF8) == 0xF0 ? 3 : 0;
        if (following == 0) return false;
      }
    }
    return following == 0;
  }
};

const ID3v2Text id3v2Text;
const ID3v1Text id3v1Text;
const InfoText infoText;

}  // namespace

bool LegacyText::add(const char *name) {
  iconv_t converter = iconv_open("UTF-8", name);
  // iconv_open(3) returns this number where it fails.
  if (reinterpret_cast<intptr_t>(converter) == -1) return false;
  converters.push_back(converter);
  return true;
}

void LegacyText::choose(unsigned encoding) {
  ID3v2::Tag::setLatin1StringHandler(&id3v2Text);
  ID3v1::Tag::setStringHandler(&id3v1Text);
  RIFF::Info::Tag::setStringHandler(&infoText);
  chosen = encoding > 0 && encoding <= converters.size() ? converters[encoding - 1] : nullptr;
}
