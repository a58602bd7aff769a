#pragma once

#include <cstdint>
#include <vector>

/// The sound of a file of MPEG frames: its length and the bytes that it takes.
struct FrameCount {
  int64_t duration;  ///< in milliseconds
  int64_t bytes;
};

/// Counts the frames from `offset` on if the bit rates of the first sixteen differ, so that the length cannot be computed
/// from one of them. Returns false where they are equal, or where there are too few frames.
bool countFrames(int descriptor, int64_t offset, int64_t size, std::vector<char> &buffer, FrameCount &count);
