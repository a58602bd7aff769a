#pragma once

#include <tfile.h>

#include "Properties.h"

/// Adds what a file says of its loudness (REPLAYGAIN_…) where TagLib's map of properties leaves it out: free-form items
/// of MP4, attributes of ASF, and of MP3 files the RVA2 frames and the APE tag that mp3gain writes beside the ID3 tag.
void appendLoudness(TagLib::File &file, Properties &properties);
