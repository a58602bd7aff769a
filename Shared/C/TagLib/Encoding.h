#pragma once

#include <tfile.h>

/// How the samples of a file are encoded; the codec says it, not the container.
struct Encoding {
  /// The name of the codec in lower case; empty where it is unknown.
  const char *codec = "";
  bool isLossless = false;
  /// The bits of a sample; 0 where they are unknown, and for lossy codecs, which have no such number.
  int bitDepth = 0;
  /// True if a correction file beside the file makes it lossless.
  bool isHybrid = false;
};

Encoding encoding(TagLib::File &file);
