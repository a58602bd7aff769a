#pragma once

#include <tstring.h>
#include <tstringlist.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "CTagLib.h"

/// A letter's capital; names of properties are ASCII.
inline char capital(char letter) { return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 32) : letter; }

/// Returns true if `text` is the name `capitals`, in any case.
inline bool isName(std::string_view text, std::string_view capitals) {
  return std::equal(text.begin(), text.end(), capitals.begin(), capitals.end(), [](char one, char other) {
    return capital(one) == other;
  });
}

/// `LYRICS`, also with a description after a colon, and what programs write into Vorbis comments and APE tags.
inline bool isLyrics(std::string_view name) {
  const std::string_view key = name.substr(0, name.find(':'));
  return isName(key, "LYRICS") || isName(key, "UNSYNCEDLYRICS") || isName(key, "SYNCEDLYRICS") ||
         isName(key, "UNSYNCED LYRICS");
}

/// A CUE sheet in the tags, or the block of FLAC.
inline bool isSheet(std::string_view name) { return isName(name, "CUESHEET") || isName(name, "FLAC:CUESHEET"); }

/// Names and values in the form in which they leave for Swift: each ended by a NUL.
class Properties {
 public:
  explicit Properties(std::string &text) : text(text) { text.clear(); }

  /// True if lyrics were left out, and if their lines had times.
  bool hasLyrics = false;
  bool hasTimedLyrics = false;

  void clear() {
    text.clear();
    hasLyrics = hasTimedLyrics = false;
  }

  /// Adds a name with one value.
  void append(std::string_view name, std::string_view value) {
    if (isLyrics(name)) {
      hasLyrics = true;
      if (hasTimes(value)) hasTimedLyrics = true;
      return;
    }
    // Fingerprints and the like are as long as they please; nothing that names music is.
    if (name.empty() || value.size() > (isSheet(name) ? longestSheet : longestValue)) return;
    if (text.size() + name.size() + value.size() + 2 > longestText) return;
    const auto nothingTorn = [](char letter) { return letter == '\0' ? ' ' : letter; };
    for (const char letter : name) text += nothingTorn(capital(letter));
    text += '\0';
    const size_t start = text.size();
    text += value;
    std::transform(text.begin() + static_cast<long>(start), text.end(), text.begin() + static_cast<long>(start),
                   nothingTorn);
    text += '\0';
  }

  /// Adds a name with all its values.
  void append(const TagLib::String &name, const TagLib::StringList &values) {
    const std::string key = name.to8Bit(true);
    for (const auto &value : values) append(key, value.to8Bit(true));
  }

 private:
  /// Returns true if a line of a text begins with its time: `[00:12.50]`.
  static bool hasTimes(std::string_view text) {
    const auto isDigit = [](char letter) { return letter >= '0' && letter <= '9'; };
    for (size_t at = text.find('['); at != std::string_view::npos && at + 3 < text.size(); at = text.find('[', at + 1)) {
      if (isDigit(text[at + 1]) && isDigit(text[at + 2]) && text[at + 3] == ':') return true;
    }
    return false;
  }

  static constexpr size_t longestValue = 4096;
  static constexpr size_t longestSheet = 65536;
  static constexpr size_t longestText = 96 << 10;

  std::string &text;
};
