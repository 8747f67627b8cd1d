// Declarations that the Glibc module omits: some headers, functions that glibc declares only with _GNU_SOURCE, and macros
// that Swift cannot import.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/types.h>
#include <sys/xattr.h>

extern int pipe2(int *, int);
extern int mkostemp(char *, int);
extern ssize_t getdents64(int, void *, size_t);
extern int renameat2(int, const char *, int, const char *, unsigned int);
extern ssize_t copy_file_range(int, __off64_t *, int, __off64_t *, size_t, unsigned int);

static const unsigned int RENAME_WITHOUT_REPLACING = 1;
static const int OPEN_PATH = 010000000;
static const int OPEN_UNNAMED = 020000000;
static const int SEEK_TO_DATA = 3;
static const int SEEK_TO_HOLE = 4;
static const int SET_SIGNAL = 10;
static const int SET_LEASE = 1024;
