#ifndef BUILD_COMMIT_H
#define BUILD_COMMIT_H

/* The commit of the sources of this program, such as "1efc0a7f62a9"; empty if nobody has written it into the program. */
const char *build_commit(void);

#endif
