#pragma once

#include <tfile.h>

/// Whether the audio of a file is kept whole: the codec says it, not the container.
bool isLossless(TagLib::File &file);
