#pragma once

#include <tfile.h>

#include <string>

/// Appends all tags of a file as they stand there: of each its kind, name, value and length, each ended by a NUL. The
/// length is that of a value that is cut or no text, and is empty else. At the end there may be three empty texts and
/// the number of values for which there was no room.
void appendAllTags(TagLib::File &file, std::string &text);
