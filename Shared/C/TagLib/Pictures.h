#pragma once

#include <tfile.h>

/// Returns true if a file holds a picture that can stand for its album.
bool hasCover(TagLib::File &file);

/// The front cover, else a picture of no kind, else the first one that is no file icon; empty where there is none.
/// Pictures of which the end is missing, or that are of no known format, come after all others; `passedOver` is set to
/// whether one was left out for that.
TagLib::ByteVector cover(TagLib::File &file, bool *passedOver = nullptr);
