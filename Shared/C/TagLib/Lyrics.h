#pragma once

#include <tfile.h>

#include <string>

/// Appends the lyrics of a file: of each the language, NUL, the text, NUL, one mebibyte in all at most.
void appendLyrics(TagLib::File &file, std::string &text);
