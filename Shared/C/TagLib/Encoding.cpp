#include "Encoding.h"

#include <aifffile.h>
#include <apefile.h>
#include <asffile.h>
#include <flacfile.h>
#include <mp4file.h>
#include <mpcfile.h>
#include <mpegfile.h>
#include <oggflacfile.h>
#include <opusfile.h>
#include <speexfile.h>
#include <trueaudiofile.h>
#include <vorbisfile.h>
#include <wavfile.h>
#include <wavpackfile.h>

#include <algorithm>
#include <string>

#include "DSDFile.h"

namespace {

using namespace TagLib;

Encoding lossy(const char *codec) { return {codec, false, 0, false}; }
Encoding lossless(const char *codec, int bitDepth) { return {codec, true, bitDepth, false}; }

/// A wave file names its encoding by a number (Microsoft, mmreg.h).
Encoding encoding(const RIFF::WAV::Properties &audio) {
  switch (audio.format()) {
    case 1:       // PCM
    case 3:       // floating point
    case 0xFFFE:  // extensible: with more than two channels or 16 bits
      return lossless("pcm", audio.bitsPerSample());
    case 2: case 0x11: return lossy("adpcm");
    case 6: return lossy("alaw");
    case 7: return lossy("ulaw");
    case 0x55: return lossy("mp3");
    default: return {};
  }
}

/// AIFF holds samples as they are, and AIFF-C names its compression by four letters.
Encoding encoding(const RIFF::AIFF::Properties &audio) {
  if (!audio.isAiffC()) return lossless("pcm", audio.bitsPerSample());
  const std::string type(audio.compressionType().data(), audio.compressionType().size());
  const auto whole = {"NONE", "sowt", "twos", "raw ", "in24", "in32", "42ni", "23ni", "fl32", "fl64", "FL32", "FL64"};
  if (std::find(whole.begin(), whole.end(), type) != whole.end()) return lossless("pcm", audio.bitsPerSample());
  if (type == "alaw" || type == "ALAW") return lossy("alaw");
  if (type == "ulaw" || type == "ULAW") return lossy("ulaw");
  return {};
}

Encoding encoding(const MP4::Properties &audio) {
  switch (audio.codec()) {
    case MP4::Properties::ALAC: return lossless("alac", audio.bitsPerSample());
    case MP4::Properties::AAC: return lossy("aac");
    default: return {};
  }
}

Encoding encoding(const ASF::Properties &audio) {
  switch (audio.codec()) {
    case ASF::Properties::WMA9Lossless: return lossless("wma", audio.bitsPerSample());
    case ASF::Properties::Unknown: return {};
    default: return lossy("wma");
  }
}

Encoding encoding(const MPEG::Properties &audio) {
  switch (audio.layer()) {
    case 1: return lossy("mp1");
    case 2: return lossy("mp2");
    default: return lossy("mp3");
  }
}

}  // namespace

Encoding encoding(TagLib::File &file) {
  if (dynamic_cast<const DSDFile *>(&file) != nullptr) return lossless("dsd", 1);
  const auto *audio = file.audioProperties();
  if (const auto *flac = dynamic_cast<const FLAC::Properties *>(audio)) return lossless("flac", flac->bitsPerSample());
  if (const auto *mpeg = dynamic_cast<const MPEG::Properties *>(audio)) return encoding(*mpeg);
  if (const auto *mp4 = dynamic_cast<const MP4::Properties *>(audio)) return encoding(*mp4);
  if (dynamic_cast<const Vorbis::Properties *>(audio) != nullptr) return lossy("vorbis");
  if (dynamic_cast<const Ogg::Opus::Properties *>(audio) != nullptr) return lossy("opus");
  if (dynamic_cast<const Ogg::Speex::Properties *>(audio) != nullptr) return lossy("speex");
  if (dynamic_cast<const MPC::Properties *>(audio) != nullptr) return lossy("musepack");
  if (const auto *wavpack = dynamic_cast<const WavPack::Properties *>(audio)) {
    return wavpack->isLossless() ? lossless("wavpack", wavpack->bitsPerSample())
                                 : Encoding{"wavpack", false, 0, true};
  }
  if (const auto *wave = dynamic_cast<const RIFF::WAV::Properties *>(audio)) return encoding(*wave);
  if (const auto *aiff = dynamic_cast<const RIFF::AIFF::Properties *>(audio)) return encoding(*aiff);
  if (const auto *asf = dynamic_cast<const ASF::Properties *>(audio)) return encoding(*asf);
  if (const auto *ape = dynamic_cast<const APE::Properties *>(audio)) return lossless("ape", ape->bitsPerSample());
  if (const auto *trueAudio = dynamic_cast<const TrueAudio::Properties *>(audio)) {
    return lossless("tta", trueAudio->bitsPerSample());
  }
  return {};
}
