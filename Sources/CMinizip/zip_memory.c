#include "zip_memory.h"

#include <minizip/unzip.h>
#include <minizip/zip.h>
#include <stdlib.h>
#include <string.h>

// minizip reads and writes through these functions. An archive that is read is never modified.
typedef struct {
  uint8_t *bytes;
  size_t count, capacity, position;
} memory;

static voidpf memory_open(voidpf opaque, const void *name, int mode) {
  (void)name;
  (void)mode;
  ((memory *)opaque)->position = 0;
  return opaque;
}

static uLong memory_read(voidpf opaque, voidpf stream, void *buffer, uLong size) {
  (void)opaque;
  memory *from = stream;
  if (from->position >= from->count) return 0;
  size_t left = from->count - from->position;
  if (size > left) size = left;
  memcpy(buffer, from->bytes + from->position, size);
  from->position += size;
  return size;
}

static uLong memory_write(voidpf opaque, voidpf stream, const void *buffer, uLong size) {
  (void)opaque;
  memory *to = stream;
  if (to->position > SIZE_MAX / 4 || size > SIZE_MAX / 4) return 0;
  size_t end = to->position + size;
  if (end > to->capacity) {
    size_t capacity = to->capacity * 2 > end ? to->capacity * 2 : end + 4096;
    uint8_t *grown = realloc(to->bytes, capacity);
    if (!grown) return 0;
    to->bytes = grown;
    to->capacity = capacity;
  }
  if (to->position > to->count) memset(to->bytes + to->count, 0, to->position - to->count);
  memcpy(to->bytes + to->position, buffer, size);
  to->position = end;
  if (end > to->count) to->count = end;
  return size;
}

static ZPOS64_T memory_tell(voidpf opaque, voidpf stream) {
  (void)opaque;
  return ((memory *)stream)->position;
}

static long memory_seek(voidpf opaque, voidpf stream, ZPOS64_T offset, int origin) {
  (void)opaque;
  memory *of = stream;
  ZPOS64_T base = origin == ZLIB_FILEFUNC_SEEK_CUR ? of->position : origin == ZLIB_FILEFUNC_SEEK_END ? of->count : 0;
  // Numbers of a broken archive may add up to anything.
  if (offset > SIZE_MAX / 4 || base + offset > of->count) return -1;
  of->position = base + offset;
  return 0;
}

static int memory_close(voidpf opaque, voidpf stream) {
  (void)opaque;
  (void)stream;
  return 0;
}

static zlib_filefunc64_def functions(memory *of) {
  zlib_filefunc64_def result = {memory_open, memory_read,  memory_write, memory_tell,
                                memory_seek, memory_close, memory_close, of};
  return result;
}

struct zip_input {
  memory archive;
  unzFile file;
  int is_open;
};

zip_input *zip_input_open(const uint8_t *bytes, size_t count) {
  zip_input *input = calloc(1, sizeof(zip_input));
  if (!input) return NULL;
  input->archive.bytes = (uint8_t *)bytes;
  input->archive.count = count;
  zlib_filefunc64_def own = functions(&input->archive);
  input->file = unzOpen2_64("", &own);
  if (input->file) return input;
  free(input);
  return NULL;
}

static void close_entry(zip_input *input) {
  if (input->is_open) unzCloseCurrentFile(input->file);
  input->is_open = 0;
}

zip_entry_status zip_input_find(zip_input *input, const char *name) {
  close_entry(input);
  int found = unzLocateFile(input->file, name, 2);
  if (found == UNZ_END_OF_LIST_OF_FILE) return zip_entry_missing;
  unz_file_info64 info;
  if (found != UNZ_OK || unzGetCurrentFileInfo64(input->file, &info, NULL, 0, NULL, 0, NULL, 0) != UNZ_OK ||
      (info.flag & 1) || (info.compression_method != 0 && info.compression_method != Z_DEFLATED) ||
      unzOpenCurrentFile(input->file) != UNZ_OK)
    return zip_entry_unreadable;
  input->is_open = 1;
  return zip_entry_open;
}

long zip_input_read(zip_input *input, uint8_t *buffer, size_t count) {
  if (!input->is_open) return -1;
  int read = unzReadCurrentFile(input->file, buffer, count > 1 << 20 ? 1 << 20 : (unsigned)count);
  if (read != 0) return read > 0 ? read : -1;
  input->is_open = 0;
  return unzCloseCurrentFile(input->file) == UNZ_OK ? 0 : -1;
}

void zip_input_free(zip_input *input) {
  if (!input) return;
  close_entry(input);
  unzClose(input->file);
  free(input);
}

struct zip_output {
  memory archive;
  zipFile file;
  int has_failed;
};

zip_output *zip_output_open(void) {
  zip_output *output = calloc(1, sizeof(zip_output));
  if (!output) return NULL;
  zlib_filefunc64_def own = functions(&output->archive);
  output->file = zipOpen2_64("", APPEND_STATUS_CREATE, NULL, &own);
  if (output->file) return output;
  free(output);
  return NULL;
}

int zip_output_add(zip_output *output, const char *name, const uint8_t *bytes, size_t count, int level) {
  zip_fileinfo info;
  memset(&info, 0, sizeof info);
  info.dosDate = 0x00210000;
  if (output->has_failed || zipOpenNewFileInZip(output->file, name, &info, NULL, 0, NULL, 0, NULL,
                                                level ? Z_DEFLATED : 0, level) != ZIP_OK) {
    output->has_failed = 1;
    return -1;
  }
  for (size_t done = 0; done < count && !output->has_failed;) {
    unsigned piece = count - done > 1 << 20 ? 1 << 20 : (unsigned)(count - done);
    if (zipWriteInFileInZip(output->file, bytes + done, piece) != ZIP_OK) output->has_failed = 1;
    done += piece;
  }
  if (zipCloseFileInZip(output->file) != ZIP_OK) output->has_failed = 1;
  return output->has_failed ? -1 : 0;
}

const uint8_t *zip_output_finish(zip_output *output, size_t *count) {
  if (output->file && zipClose(output->file, NULL) != ZIP_OK) output->has_failed = 1;
  output->file = NULL;
  *count = output->archive.count;
  return output->has_failed ? NULL : output->archive.bytes;
}

void zip_output_free(zip_output *output) {
  if (!output) return;
  if (output->file) zipClose(output->file, NULL);
  free(output->archive.bytes);
  free(output);
}
