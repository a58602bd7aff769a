#pragma once

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/log.h>

// Why: Swift imports neither AVERROR, a macro with an argument, nor those that are made with it or with a cast.

static const int lunara_av_end = AVERROR_EOF;
static const int lunara_av_read_error = AVERROR(EIO);
static const int lunara_av_no_memory = AVERROR(ENOMEM);
static const int lunara_av_try_again = AVERROR(EAGAIN);
static const int64_t lunara_av_no_time = AV_NOPTS_VALUE;
