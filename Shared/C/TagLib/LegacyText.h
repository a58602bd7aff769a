#pragma once

#include <iconv.h>

#include <vector>

/// The encodings in which text may be that claims to be Latin-1: ID3v1, frames of ID3v2 with the encoding 0, and RIFF
/// INFO that is no UTF-8. TagLib asks for such text through handlers of the whole process, so there is one of these.
class LegacyText {
 public:
  /// Adds an encoding by the name that iconv has for it. Its converter is opened now, as a confined process can load
  /// no modules. Returns false where iconv has no such encoding.
  static bool add(const char *name);

  /// Chooses the encoding of the files that are read next: 0 for Latin-1, else the place of one that was added.
  static void choose(unsigned encoding);

 private:
  LegacyText() = delete;
};
