#pragma once

#include <id3v2tag.h>
#include <tfile.h>

#include <cstdint>
#include <memory>

/// A file of DSD: DSF (Sony, DSF File Format Specification 1.01) or DSDIFF (Philips, DSDIFF 1.5), which TagLib reads from
/// version 2.0 on only.
class DSDFile : public TagLib::File {
 public:
  explicit DSDFile(TagLib::IOStream *stream);
  ~DSDFile() override;

  /// Returns true if a stream begins as such a file does.
  static bool isDSD(TagLib::IOStream &stream);

  TagLib::Tag *tag() const override { return id3.get(); }
  TagLib::ID3v2::Tag *ID3v2Tag() const { return id3.get(); }
  TagLib::AudioProperties *audioProperties() const override;
  bool save() override { return false; }

  /// The length in milliseconds; 0 where the header does not state it.
  int64_t duration() const;

 private:
  class Properties;

  void readDSF();
  void readDSDIFF();
  void readProperties(int64_t position, int64_t end);
  void readEdited(int64_t position, int64_t end);
  void readTag(int64_t position);
  uint64_t number(const TagLib::ByteVector &bytes, unsigned int at, unsigned int count, bool isBigEndian) const;

  std::unique_ptr<TagLib::ID3v2::Tag> id3;
  std::unique_ptr<Properties> properties;
};
