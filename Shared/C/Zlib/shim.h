#pragma once

#include <zlib.h>

// deflateInit2 is a macro, which Swift does not import. A stream of the gzip format: 15 bits of window, 16 for its header.
static inline int lunara_gzip_begin(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY);
}

// inflateInit2 is a macro as well. A stream without a header, as in ZIP files: a negative number of bits of window.
static inline int lunara_inflate_begin(z_stream *stream) { return inflateInit2(stream, -15); }
