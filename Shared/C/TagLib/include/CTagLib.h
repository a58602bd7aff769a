// TagLib for Swift: its C++ interface behind a few C functions. TagLib's own C interface (1.13) knows neither pictures
// nor several values a key, and opens files by name only. Nothing here writes to a file, and nothing throws.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A reader of files, one after the other, for one thread. It keeps the buffers between files.
typedef struct lunara_tag_reader lunara_tag_reader;

/// Makes a reader; NULL when there is no memory for it.
lunara_tag_reader *_Nullable lunara_tag_reader_make(void);
/// Frees a reader and all that it gave.
void lunara_tag_reader_free(lunara_tag_reader *_Nullable reader);

/// Adds an encoding in which text may be that claims to be Latin-1, by the name that iconv(3) has for it. Returns false
/// where there is no such encoding. All encodings are to be added before the process confines itself.
bool lunara_tag_reader_add_encoding(const char *_Nonnull name);

/// Chooses the encoding of such text in the files that are read next: 0 for Latin-1, else the place, from 1 on, of one
/// that was added. Bytes that are not valid in it stay Latin-1.
void lunara_tag_reader_choose_encoding(unsigned encoding);

/// How a read came out.
typedef enum {
  LUNARA_TAG_OK = 0,
  /// Neither the name nor the contents are of a kind that TagLib knows.
  LUNARA_TAG_UNKNOWN_FORMAT,
  /// The contents are no whole file of their kind: nothing in it can be played.
  LUNARA_TAG_BROKEN,
  /// The kernel could not read the file; `system_error` says why.
  LUNARA_TAG_UNREADABLE,
  /// The file asks for more memory than there is.
  LUNARA_TAG_NO_MEMORY,
} lunara_tag_outcome;

/// The tags of one file; valid until the reader's next use.
typedef struct {
  int64_t duration;             ///< in milliseconds
  int bit_rate;                 ///< in kbit/s; of FLAC files only nearly
  int sample_rate;              ///< in Hz
  int channels;
  int bit_depth;                ///< bits of a sample; 0 for lossy codecs
  const char *_Nullable codec;  ///< its name in lower case, a constant; empty or NULL where it is unknown
  int has_picture;              ///< 1 if a picture is embedded
  int is_lossless;              ///< 1 if the audio is kept whole
  int is_hybrid;                ///< 1 if a correction file beside it makes it lossless
  int has_lyrics;
  int has_timed_lyrics;         ///< 1 if the lines of the lyrics have times
  int has_legacy_text;          ///< 1 if a value is marked as Latin-1 and is not ASCII
  int is_truncated;             ///< 1 if the file is shorter than its header says; only of FLAC and MPEG
  uint64_t audio_digest;        ///< the start of the MD5 that FLAC files hold; else 0
  int system_error;
  /// All properties, each as its name in capitals, NUL, its value, NUL; a name with several values comes several
  /// times. UTF-8; the names are those of TagLib's PropertyMap.
  const char *_Nullable text;
  size_t text_length;
} lunara_tags;

/// Reads the properties of an open file. `name` is its name, whose ending says what is tried first; `size` its length.
/// Pictures are not read where that can be avoided.
lunara_tag_outcome lunara_tags_read(
    lunara_tag_reader *_Nonnull reader, int descriptor, const char *_Nonnull name, int64_t size,
    lunara_tags *_Nonnull tags);

/// A picture; valid until the reader's next use.
typedef struct {
  const uint8_t *_Nullable bytes;  ///< NULL where the file has none
  size_t length;
  int passed_over;  ///< 1 if one that would have been better was left out, as its end is missing
  int system_error;
} lunara_picture;

/// Reads the front cover that is embedded in an open file, or the first other picture that is no file icon. Pictures of
/// which the end is missing come last.
lunara_tag_outcome lunara_picture_read(
    lunara_tag_reader *_Nonnull reader, int descriptor, const char *_Nonnull name, int64_t size,
    lunara_picture *_Nonnull picture);

/// Lyrics; valid until the reader's next use.
typedef struct {
  /// Of each lyrics the language, NUL, the text, NUL, in UTF-8; NULL where the file has none. Lines with times begin
  /// with them as in LRC: `[01:02.345]`.
  const char *_Nullable text;
  size_t length;
  int system_error;
} lunara_lyrics;

/// Reads the lyrics in the tags of an open file, those with times of their own frames first.
lunara_tag_outcome lunara_lyrics_read(
    lunara_tag_reader *_Nonnull reader, int descriptor, const char *_Nonnull name, int64_t size,
    lunara_lyrics *_Nonnull lyrics);

/// All tags as they stand in a file; valid until the reader's next use.
typedef struct {
  /// Of each value its kind of tags, name, value and length, each ended by a NUL, in UTF-8; NULL where the file has
  /// none. The length is empty for a text that is whole. At the end there may be three empty texts and the number of
  /// values for which there was no room.
  const char *_Nullable text;
  size_t length;
  int system_error;
} lunara_all_tags;

/// Reads all tags of an open file, in its order.
lunara_tag_outcome lunara_all_tags_read(
    lunara_tag_reader *_Nonnull reader, int descriptor, const char *_Nonnull name, int64_t size,
    lunara_all_tags *_Nonnull tags);

#ifdef __cplusplus
}
#endif
