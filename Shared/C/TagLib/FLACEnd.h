#pragma once

#include <cstdint>
#include <vector>

/// The stream information that tells where the last frame of a FLAC file ends.
struct FLACStream {
  int64_t samples = 0;      ///< of all frames; 0 where it is not known
  int shortestBlock = 0;    ///< in samples
  int longestBlock = 0;     ///< in samples
  int64_t longestFrame = 0; ///< in bytes; 0 where it is not known
};

/// Returns true if the last frame of a FLAC file ends before the number of samples that its header states. Only the end
/// of the file is read. False also where no frame is found there.
bool endsEarly(int descriptor, int64_t size, const FLACStream &stream, std::vector<char> &buffer);
