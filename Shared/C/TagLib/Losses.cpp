#include "Losses.h"

#include <aifffile.h>
#include <apefile.h>
#include <asffile.h>
#include <flacfile.h>
#include <mp4file.h>
#include <oggflacfile.h>
#include <trueaudiofile.h>
#include <wavfile.h>
#include <wavpackfile.h>

#include <algorithm>
#include <string>

namespace {

/// The formats of a wave file (Microsoft, mmreg.h) that hold samples as they are.
bool isWhole(const TagLib::RIFF::WAV::Properties &audio) {
  constexpr int pcm = 1, floatingPoint = 3, extensible = 0xFFFE;
  return audio.format() == pcm || audio.format() == floatingPoint || audio.format() == extensible;
}

/// The compression types of AIFF-C that hold samples as they are.
bool isWhole(const TagLib::RIFF::AIFF::Properties &audio) {
  if (!audio.isAiffC()) return true;
  const std::string type(audio.compressionType().data(), audio.compressionType().size());
  const auto kinds = {"NONE", "sowt", "twos", "raw ", "in24", "in32", "42ni", "23ni", "fl32", "fl64", "FL32", "FL64"};
  return std::find(kinds.begin(), kinds.end(), type) != kinds.end();
}

}  // namespace

bool isLossless(TagLib::File &file) {
  using namespace TagLib;
  const auto *audio = file.audioProperties();
  if (const auto *mp4 = dynamic_cast<const MP4::Properties *>(audio)) return mp4->codec() == MP4::Properties::ALAC;
  if (const auto *wavpack = dynamic_cast<const WavPack::Properties *>(audio)) return wavpack->isLossless();
  if (const auto *wave = dynamic_cast<const RIFF::WAV::Properties *>(audio)) return isWhole(*wave);
  if (const auto *aiff = dynamic_cast<const RIFF::AIFF::Properties *>(audio)) return isWhole(*aiff);
  if (const auto *asf = dynamic_cast<const ASF::Properties *>(audio)) {
    return asf->codec() == ASF::Properties::WMA9Lossless;
  }
  return dynamic_cast<FLAC::File *>(&file) != nullptr || dynamic_cast<Ogg::FLAC::File *>(&file) != nullptr ||
         dynamic_cast<APE::File *>(&file) != nullptr || dynamic_cast<TrueAudio::File *>(&file) != nullptr;
}
