// Covers parts of JPEG pictures, by libjpeg.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A rectangle. Its unit follows from the number of units that the caller gives for the whole picture.
typedef struct {
  double x, y, width, height;
} jpeg_area;

typedef enum {
  jpeg_cover_ok = 0,
  // It is no JPEG file, or a broken one, or needs too much memory.
  jpeg_cover_broken = 1,
  // It has more pixels than allowed.
  jpeg_cover_too_large = 2,
  // Its sides have another proportion than the caller's numbers.
  jpeg_cover_other_shape = 3,
} jpeg_cover_status;

typedef struct {
  // To be given back by jpeg_cover_free.
  unsigned char *bytes;
  size_t count;
  uint32_t width, height;
} jpeg_cover_result;

// Writes a picture again, without metadata and with grey in place of some areas. The rest stays exactly the same, because
// the picture is decoded only down to the coefficients of its blocks.
//
// `width` and `height` are the numbers of units of the picture; if they are 0, there must be no `areas`. A part of a
// block is covered as the whole block. It takes at most about 6 bytes a pixel.
jpeg_cover_status jpeg_cover(const uint8_t *bytes, size_t count, double width, double height, const jpeg_area *areas,
                             size_t area_count, size_t pixel_limit, jpeg_cover_result *result);

void jpeg_cover_free(jpeg_cover_result *result);

#ifdef __cplusplus
}
#endif
