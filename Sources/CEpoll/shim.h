// Headers that the Glibc module omits.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/xattr.h>
