#pragma once

#include <string.h>

#include <vips/vips.h>

// Nearly all of libvips' operations are variadic, which Swift does not import; VIPS_INIT and VIPS_UNREF are macros. So
// each step that a thumbnail needs has a function here, and nothing here decides anything.

// Drops the words of libvips about each row of a picture that is cut off. Errors are asked for instead.
static inline void lunara_vips_ignore(const char *domain, GLogLevelFlags level, const char *text, void *context) {
  (void)domain, (void)level, (void)text, (void)context;
}

// Starts libvips for pictures that strangers have made: one thread a picture, no cache of operations, and of the loaders
// only those of well-kept libraries. 0, or -1.
static inline int lunara_vips_start(const char *program) {
  if (VIPS_INIT(program)) return -1;
  vips_concurrency_set(1);
  vips_cache_set_max(0);
  g_log_set_handler("VIPS", G_LOG_LEVEL_WARNING, lunara_vips_ignore, NULL);
  vips_operation_block_set("VipsForeignLoad", TRUE);
  const char *loaders[] = {"VipsForeignLoadJpeg", "VipsForeignLoadPng", "VipsForeignLoadWebp", "VipsForeignLoadNsgif",
                           "VipsForeignLoadHeif"};
  for (unsigned i = 0; i < sizeof loaders / sizeof *loaders; i++) vips_operation_block_set(loaders[i], FALSE);
  return 0;
}

// The formats that are decoded.
typedef enum {
  LUNARA_PICTURE_JPEG,
  LUNARA_PICTURE_PNG,
  LUNARA_PICTURE_WEBP,
  LUNARA_PICTURE_GIF,
  LUNARA_PICTURE_AVIF,
} lunara_picture_format;

// Opens a picture by the loader of its format, which alone sees the bytes. JPEG and WebP are decoded to 1/shrink of
// their size: 1, 2, 4 or 8. libvips takes the buffer as one it may write to, and does not. Null where it fails; a
// picture whose end is missing fails later, and only where `wholeOnly` is not 0.
static inline VipsImage *lunara_vips_open(
    const void *bytes, size_t count, lunara_picture_format format, int shrink, int wholeOnly) {
  VipsImage *image = NULL;
  void *buffer = (void *)bytes;
  const VipsAccess access = VIPS_ACCESS_SEQUENTIAL;
  const VipsFailOn failOn = wholeOnly ? VIPS_FAIL_ON_TRUNCATED : VIPS_FAIL_ON_NONE;
  int failed = -1;
  switch (format) {
    case LUNARA_PICTURE_JPEG:
      failed = vips_jpegload_buffer(
          buffer, count, &image, "access", access, "fail_on", failOn, "shrink", shrink, NULL);
      break;
    case LUNARA_PICTURE_PNG:
      failed = vips_pngload_buffer(buffer, count, &image, "access", access, "fail_on", failOn, NULL);
      break;
    case LUNARA_PICTURE_WEBP:
      failed = vips_webpload_buffer(
          buffer, count, &image, "access", access, "fail_on", failOn, "scale", 1.0 / shrink, NULL);
      break;
    case LUNARA_PICTURE_GIF:
      failed = vips_gifload_buffer(buffer, count, &image, "access", access, "fail_on", failOn, NULL);
      break;
    case LUNARA_PICTURE_AVIF:
      failed = vips_heifload_buffer(buffer, count, &image, "access", access, "fail_on", failOn, NULL);
      break;
  }
  return failed ? NULL : image;
}

// Width and height of a picture by its head alone. 0, or -1.
static inline int lunara_vips_head(
    const void *bytes, size_t count, lunara_picture_format format, int *width, int *height) {
  VipsImage *image = lunara_vips_open(bytes, count, format, 1, 0);
  if (!image) return -1;
  *width = vips_image_get_width(image);
  *height = vips_image_get_height(image);
  g_object_unref(image);
  return 0;
}

// In memory, three bytes a pixel, sRGB, with nothing else that its file held; what shows through lies on white. Takes
// `image`; null where it fails.
static inline VipsImage *lunara_vips_settled(VipsImage *image) {
  VipsImage *next = NULL;
  if (vips_image_hasalpha(image)) {
    VipsArrayDouble *white = vips_array_double_newv(1, 255.0);
    int failed = vips_flatten(image, &next, "background", white, NULL);
    vips_area_unref(VIPS_AREA(white));
    g_object_unref(image);
    if (failed) return NULL;
    image = next;
  }
  if (vips_image_get_interpretation(image) != VIPS_INTERPRETATION_sRGB || vips_image_get_bands(image) != 3) {
    int failed = vips_colourspace(image, &next, VIPS_INTERPRETATION_sRGB, NULL);
    g_object_unref(image);
    if (failed) return NULL;
    image = next;
  }
  int failed = vips_cast_uchar(image, &next, NULL);
  g_object_unref(image);
  if (failed) return NULL;
  image = next;
  failed = vips_copy(image, &next, NULL);
  g_object_unref(image);
  if (failed) return NULL;
  // "strip" of the WebP writer leaves these.
  const char *fields[] = {VIPS_META_ICC_NAME, VIPS_META_EXIF_NAME, VIPS_META_XMP_NAME, VIPS_META_IPTC_NAME,
                          VIPS_META_ORIENTATION};
  for (unsigned i = 0; i < sizeof fields / sizeof *fields; i++) vips_image_remove(next, fields[i]);
  image = vips_image_copy_memory(next);
  g_object_unref(next);
  if (image && vips_image_get_bands(image) != 3) {
    g_object_unref(image);
    return NULL;
  }
  return image;
}

// A picture upright, in sRGB, its longest side at most `size`. Null where it fails. One without a profile is taken for
// sRGB: made into it, its colours would move by a few hundredths.
static inline VipsImage *lunara_vips_thumbnail(
    const void *bytes, size_t count, lunara_picture_format format, int shrink, int size, int wholeOnly) {
  VipsImage *whole = lunara_vips_open(bytes, count, format, shrink, wholeOnly), *image = NULL;
  if (!whole) return NULL;
  const int isProfiled = vips_image_get_typeof(whole, VIPS_META_ICC_NAME) != 0;
  const int failed = vips_thumbnail_image(
      whole, &image, size, "height", size, "size", VIPS_SIZE_DOWN, isProfiled ? "export_profile" : NULL, "srgb", NULL);
  g_object_unref(whole);
  return failed ? NULL : lunara_vips_settled(image);
}

// The same of a picture that is in memory already; of exactly `size` by `size` where `isForced`.
static inline VipsImage *lunara_vips_smaller(VipsImage *image, int size, int isForced) {
  VipsImage *small = NULL;
  if (vips_thumbnail_image(image, &small, size, "height", size, "size", isForced ? VIPS_SIZE_FORCE : VIPS_SIZE_DOWN,
                           "no_rotate", TRUE, NULL))
    return NULL;
  return lunara_vips_settled(small);
}

// The longest side of a picture.
static inline int lunara_vips_longest(VipsImage *image) {
  return VIPS_MAX(vips_image_get_width(image), vips_image_get_height(image));
}

// A picture as a file without whatever else was in its own file, to be freed with lunara_vips_free. 0, or -1.
static inline int lunara_vips_save_jpeg(VipsImage *image, int quality, void **bytes, size_t *count) {
  return vips_jpegsave_buffer(image, bytes, count, "Q", quality, "strip", TRUE, "optimize_coding", TRUE, NULL);
}

static inline int lunara_vips_save_webp(VipsImage *image, int quality, int effort, void **bytes, size_t *count) {
  return vips_webpsave_buffer(image, bytes, count, "Q", quality, "strip", TRUE, "effort", effort, NULL);
}

static inline void lunara_vips_free(void *bytes) { g_free(bytes); }

// The pixels of a picture that is in memory, row by row, three bytes each; `count` says how many bytes.
static inline const unsigned char *lunara_vips_pixels(VipsImage *image, size_t *count) {
  *count = VIPS_IMAGE_SIZEOF_IMAGE(image);
  return (const unsigned char *)vips_image_get_data(image);
}

static inline void lunara_vips_release(VipsImage *image) { g_object_unref(image); }

// Copies this thread's last complaint, at most `room` bytes with the NUL, and forgets all of them.
static inline void lunara_vips_complaint(char *text, size_t room) {
  strncpy(text, vips_error_buffer(), room - 1);
  text[room - 1] = 0;
  vips_error_clear();
}

// Lets go of what this thread keeps for later operations.
static inline void lunara_vips_end_thread(void) { vips_thread_shutdown(); }
