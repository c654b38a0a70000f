// What a disk holds after a power cut in the worst case: of each file, what was synchronised last. Loaded with LD_PRELOAD, it
// copies a file below SYNCED_FROM to SYNCED_TO whenever it is synchronised. A copy takes the place of the last one whole.
// Names change at once: file systems with a journal write these changes in their order, with the next synchronisation.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void keep(int descriptor) {
  const char *from = getenv("SYNCED_FROM"), *to = getenv("SYNCED_TO");
  char link[64], path[PATH_MAX], copy[PATH_MAX + 32], target[PATH_MAX];
  struct stat status;
  // SQLite synchronises directories, too, and a file without a name does not survive a power cut.
  if (!from || !to || fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) || status.st_nlink == 0) return;
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return;
  path[length] = 0;
  if (strncmp(path, from, strlen(from)) != 0) return;
  snprintf(target, sizeof target, "%s/%s", to, strrchr(path, '/') + 1);
  snprintf(copy, sizeof copy, "%s.%d.%d", target, (int)getpid(), descriptor);
  int in = open(path, O_RDONLY | O_CLOEXEC), out = open(copy, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  int whole = in >= 0 && out >= 0;
  char block[1 << 16];
  while (whole) {
    ssize_t count = read(in, block, sizeof block);
    if (count == 0) break;
    whole = count > 0 && write(out, block, count) == count;
  }
  if (in >= 0) close(in);
  if (out >= 0) close(out);
  // The disk never held half a file, so a copy must be whole.
  if (!whole || rename(copy, target) != 0) abort();
}

static int target_of(const char *path, char target[PATH_MAX]) {
  const char *from = getenv("SYNCED_FROM"), *to = getenv("SYNCED_TO");
  if (!from || !to || strncmp(path, from, strlen(from)) != 0) return 0;
  snprintf(target, PATH_MAX, "%s/%s", to, strrchr(path, '/') + 1);
  return 1;
}

int unlink(const char *path) {
  int (*real)(const char *) = (int (*)(const char *))dlsym(RTLD_NEXT, "unlink");
  char target[PATH_MAX];
  int result = real(path), error = errno;
  if (result == 0 && target_of(path, target)) real(target);
  errno = error;
  return result;
}

int rename(const char *from, const char *to) {
  int (*real)(const char *, const char *) = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
  char old[PATH_MAX], new[PATH_MAX];
  int result = real(from, to), error = errno;
  if (result == 0 && target_of(from, old) && target_of(to, new)) real(old, new);
  errno = error;
  return result;
}

static int synced(const char *name, int descriptor) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  int result = real(descriptor), error = errno;
  if (result == 0) keep(descriptor);
  errno = error;
  return result;
}

int fsync(int descriptor) { return synced("fsync", descriptor); }

int fdatasync(int descriptor) { return synced("fdatasync", descriptor); }
