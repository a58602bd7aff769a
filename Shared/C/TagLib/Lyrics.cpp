#include "Lyrics.h"

#include <id3v2tag.h>
#include <synchronizedlyricsframe.h>
#include <tpropertymap.h>
#include <unsynchronizedlyricsframe.h>

#include <algorithm>
#include <cstdio>
#include <set>

#include "MoreProperties.h"
#include "Properties.h"

namespace {

using namespace TagLib;

constexpr size_t longestLyrics = 1 << 20;

/// Lyrics, each once, however many tags repeat them.
class Collection {
 public:
  explicit Collection(std::string &text) : text(text) {}

  void append(const std::string &language, std::string words) {
    std::replace(words.begin(), words.end(), '\0', ' ');
    if (words.empty() || !known.insert(words).second) return;
    if (text.size() + language.size() + words.size() + 2 > longestLyrics) return;
    text.append(language).push_back('\0');
    text.append(words).push_back('\0');
  }

 private:
  std::string &text;
  std::set<std::string> known;
};

/// The three letters of a language; empty where it is unknown (ID3v2.4, section 3).
std::string language(const ByteVector &code) {
  const std::string letters(code.data(), code.size());
  const bool isCode = letters.size() == 3 && std::all_of(letters.begin(), letters.end(), [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
  });
  return isCode && letters != "XXX" && letters != "xxx" && letters != "und" ? letters : "";
}

/// The lines of a frame with times (section 4.9) as LRC. Words and syllables are separate where some begin with a line
/// feed: the others then belong to the line before.
std::string timed(const ID3v2::SynchronizedLyricsFrame &frame) {
  const auto texts = frame.synchedText();
  const bool hasLineFeeds = std::any_of(texts.begin(), texts.end(), [](const auto &one) {
    return !one.text.isEmpty() && one.text[0] == '\n';
  });
  std::string lines;
  for (const auto &one : texts) {
    std::string words = one.text.to8Bit(true);
    const bool beginsLine = !hasLineFeeds || lines.empty() || (!words.empty() && words[0] == '\n');
    std::replace(words.begin(), words.end(), '\r', ' ');
    if (beginsLine) {
      words.erase(0, words.find_first_not_of('\n'));
      char time[32];
      std::snprintf(time, sizeof time, "\n[%02u:%02u.%03u]", one.time / 60000, one.time / 1000 % 60, one.time % 1000);
      lines += time;
    }
    std::replace(words.begin(), words.end(), '\n', ' ');
    lines += words;
    if (lines.size() > longestLyrics) break;
  }
  lines.erase(0, 1);
  return lines;
}

void append(const ID3v2::Tag &tag, Collection &lyrics) {
  using Timed = ID3v2::SynchronizedLyricsFrame;
  for (const auto *frame : tag.frameList("SYLT")) {
    const auto *found = dynamic_cast<const Timed *>(frame);
    if (found == nullptr || found->timestampFormat() != Timed::AbsoluteMilliseconds) continue;
    // Other kinds are chords, trivia and addresses.
    if (found->type() > Timed::TextTranscription) continue;
    lyrics.append(language(found->language()), timed(*found));
  }
  for (const auto *frame : tag.frameList("USLT")) {
    const auto *found = dynamic_cast<const ID3v2::UnsynchronizedLyricsFrame *>(frame);
    if (found != nullptr) lyrics.append(language(found->language()), found->text().to8Bit(true));
  }
}

}  // namespace

void appendLyrics(File &file, std::string &text) {
  Collection lyrics(text);
  if (const auto *tag = id3v2(file)) append(*tag, lyrics);
  for (const auto &property : allProperties(file)) {
    if (!isLyrics(property.first.to8Bit(true))) continue;
    for (const auto &value : property.second) lyrics.append("", value.to8Bit(true));
  }
}
