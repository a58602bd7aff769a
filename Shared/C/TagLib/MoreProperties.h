#pragma once

#include <id3v2tag.h>
#include <tfile.h>
#include <tpropertymap.h>

/// Returns all properties of a file: those that TagLib maps, and those of frames, items and attributes that it leaves
/// out. A property that TagLib has is not changed, but for works and groupings of ID3v2, which it mixes.
TagLib::PropertyMap allProperties(TagLib::File &file);

/// The ID3v2 tag of a file of any kind; null where there is none.
TagLib::ID3v2::Tag *id3v2(TagLib::File &file);

/// Returns true if a file has lyrics, each line with its time, in a frame of their own.
bool hasTimedLyricsFrame(TagLib::File &file);

/// Returns true if a value is marked as Latin-1 and is not ASCII. Programs of other languages wrote theirs so.
bool hasLegacyText(TagLib::File &file);
