#include "jpeg_cover.h"

#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

// More scans than any encoder makes. Decoding a progressive file with very many scans would take too long.
enum { scan_limit = 100 };

typedef struct {
  struct jpeg_error_mgr errors;
  jmp_buf escape;
} error_handler;

// The destination of the new file. libjpeg's own destination in memory would lose the file after an error.
typedef struct {
  struct jpeg_destination_mgr manager;
  unsigned char *bytes;
  size_t capacity;
} sink;

static void on_error(j_common_ptr info) { longjmp(((error_handler *)info->err)->escape, 1); }

static void on_message(j_common_ptr info, int level) {
  (void)info;
  (void)level;
}

static void on_output(j_common_ptr info) { (void)info; }

static void on_progress(j_common_ptr info) {
  if (((j_decompress_ptr)info)->input_scan_number > scan_limit) on_error(info);
}

static void begin_output(j_compress_ptr target) { (void)target; }

static boolean grow_output(j_compress_ptr target) {
  sink *output = (sink *)target->dest;
  size_t capacity = output->capacity * 2;
  unsigned char *bytes = realloc(output->bytes, capacity);
  if (!bytes) on_error((j_common_ptr)target);
  output->bytes = bytes;
  // libjpeg calls this only when the whole buffer is full, whatever free_in_buffer says.
  output->manager.next_output_byte = bytes + output->capacity;
  output->manager.free_in_buffer = capacity - output->capacity;
  output->capacity = capacity;
  return TRUE;
}

static void end_output(j_compress_ptr target) { (void)target; }

// The units of blocks that an area touches, of `count`; `size` is one unit's part of the whole.
static void touched(double start, double length, double whole, double pixels, int size, JDIMENSION count,
                    JDIMENSION *first, JDIMENSION *end) {
  double from = floor(start / whole * pixels / size);
  double to = ceil((start + length) / whole * pixels / size);
  *first = from <= 0 ? 0 : from >= count ? count : (JDIMENSION)from;
  *end = to <= 0 ? 0 : to >= count ? count : (JDIMENSION)to;
}

static void cover(j_decompress_ptr source, jvirt_barray_ptr *blocks, double width, double height,
                  const jpeg_area *area) {
  for (int c = 0; c < source->num_components; c++) {
    jpeg_component_info *component = source->comp_info + c;
    // The same units are covered in all components, so that no colour shows at the edges.
    int unit_width = source->max_h_samp_factor * DCTSIZE;
    int unit_height = source->max_v_samp_factor * DCTSIZE;
    JDIMENSION columns = (source->image_width + unit_width - 1) / unit_width;
    JDIMENSION rows = (source->image_height + unit_height - 1) / unit_height;
    JDIMENSION first_column, end_column, first_row, end_row;
    touched(area->x, area->width, width, source->image_width, unit_width, columns, &first_column, &end_column);
    touched(area->y, area->height, height, source->image_height, unit_height, rows, &first_row, &end_row);
    JDIMENSION h = component->h_samp_factor, v = component->v_samp_factor;
    for (JDIMENSION row = first_row * v; row < end_row * v && row < component->height_in_blocks; row++) {
      JBLOCKARRAY line =
          source->mem->access_virt_barray((j_common_ptr)source, blocks[c], row, 1, TRUE);
      for (JDIMENSION column = first_column * h; column < end_column * h && column < component->width_in_blocks;
           column++) {
        memset(line[0][column], 0, sizeof(JBLOCK));
      }
    }
  }
}

jpeg_cover_status jpeg_cover(const uint8_t *bytes, size_t count, double width, double height, const jpeg_area *areas,
                             size_t area_count, size_t pixel_limit, jpeg_cover_result *result) {
  struct jpeg_decompress_struct source;
  struct jpeg_compress_struct target;
  struct jpeg_progress_mgr progress;
  error_handler handler;
  sink output;
  volatile jpeg_cover_status status = jpeg_cover_broken;

  memset(result, 0, sizeof *result);
  memset(&source, 0, sizeof source);
  memset(&target, 0, sizeof target);
  memset(&progress, 0, sizeof progress);
  memset(&output, 0, sizeof output);
  if (count < 4 || count > 1u << 30) return jpeg_cover_broken;
  source.err = jpeg_std_error(&handler.errors);
  target.err = source.err;
  handler.errors.error_exit = on_error;
  handler.errors.emit_message = on_message;
  handler.errors.output_message = on_output;
  if (setjmp(handler.escape)) goto end;

  jpeg_create_decompress(&source);
  jpeg_create_compress(&target);
  progress.progress_monitor = on_progress;
  source.progress = &progress;
  jpeg_mem_src(&source, bytes, (unsigned long)count);
  if (jpeg_read_header(&source, TRUE) != JPEG_HEADER_OK) goto end;
  if ((uint64_t)source.image_width * source.image_height > pixel_limit) {
    status = jpeg_cover_too_large;
    goto end;
  }
  if (area_count > 0) {
    double scale = source.image_width / width, other = source.image_height / height;
    if (!(width > 0 && height > 0) || fabs(scale - other) > 0.02 * scale) {
      status = jpeg_cover_other_shape;
      goto end;
    }
  }
  jvirt_barray_ptr *blocks = jpeg_read_coefficients(&source);
  for (size_t i = 0; i < area_count; i++) cover(&source, blocks, width, height, areas + i);
  jpeg_copy_critical_parameters(&source, &target);
  output.capacity = count + 4096;
  output.bytes = malloc(output.capacity);
  if (!output.bytes) goto end;
  output.manager.init_destination = begin_output;
  output.manager.empty_output_buffer = grow_output;
  output.manager.term_destination = end_output;
  output.manager.next_output_byte = output.bytes;
  output.manager.free_in_buffer = output.capacity;
  target.dest = &output.manager;
  jpeg_write_coefficients(&target, blocks);
  jpeg_finish_compress(&target);
  result->width = source.image_width;
  result->height = source.image_height;
  jpeg_finish_decompress(&source);
  status = jpeg_cover_ok;

end:
  if (source.mem) jpeg_destroy_decompress(&source);
  if (target.mem) jpeg_destroy_compress(&target);
  if (status == jpeg_cover_ok) {
    result->bytes = output.bytes;
    result->count = output.capacity - output.manager.free_in_buffer;
  } else {
    free(output.bytes);
  }
  return status;
}

void jpeg_cover_free(jpeg_cover_result *result) {
  free(result->bytes);
  result->bytes = NULL;
}
