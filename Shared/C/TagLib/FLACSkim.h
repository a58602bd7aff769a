#pragma once

#include <cstdint>
#include <vector>

#include "Properties.h"

/// Reads the stream information and the comments of a FLAC file and steps over all other metadata blocks (RFC 9639,
/// section 8), so that pictures stay on the disk. TagLib would read them, and makes every value wide text and back: a
/// whole scan takes three times as long with it.
///
/// False where the file is not that simple: a tag of another kind before the stream, no comments, a length that does
/// not fit. TagLib reads such a file as a whole.
bool skimFLAC(int descriptor, int64_t size, std::vector<char> &buffer, lunara_tags &tags, Properties &properties);
