#pragma once

#include <tstring.h>
#include <tstringlist.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "CTagLib.h"

/// A letter's capital; names of properties are ASCII.
inline char capital(char letter) { return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 32) : letter; }

/// Whether `text` is the name `capitals`, in any case.
inline bool isName(std::string_view text, std::string_view capitals) {
  return std::equal(text.begin(), text.end(), capitals.begin(), capitals.end(), [](char one, char other) {
    return capital(one) == other;
  });
}

/// Names and values in the form in which they leave for Swift: each ended by a NUL.
class Properties {
 public:
  explicit Properties(std::string &text) : text(text) { text.clear(); }

  void clear() { text.clear(); }

  /// Adds a name with one value.
  void append(std::string_view name, std::string_view value) {
    // Lyrics, fingerprints and the like are as long as they please; nothing that names music is.
    if (name.empty() || value.size() > longestValue) return;
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
  static constexpr size_t longestValue = 4096;
  static constexpr size_t longestText = 96 << 10;

  std::string &text;
};
