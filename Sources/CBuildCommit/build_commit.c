#include "build_commit.h"

/* Scripts/package writes the commit into this section of the finished program. If the sources contained it, each commit
   would rebuild all files that depend on it. */
#if defined(__ELF__)
__attribute__((section("encircle_commit"), used)) char build_commit_text[48] = {0};
#else
char build_commit_text[48] = {0};
#endif

const char *build_commit(void) { return build_commit_text; }
