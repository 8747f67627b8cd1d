// Cairo, pango and what they bring along, about thirty libraries, loaded when the first of their functions is called and not
// when the program starts: loading them takes half of the time in which a window can be on the screen.
//
// Each function is defined here under its own name, and hands its arguments on to the one that was loaded. Who calls it
// sees no difference.

#define _GNU_SOURCE
#include "CPangoCairo.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static struct {
#define FUNCTION(result, name, parameters, arguments) __typeof__(&name) name;
#include "functions.h"
#include "pixbuf.h"
#undef FUNCTION
} loaded;

// What ld.so does about a library that is linked and not there: it says which, and ends the program.
static void fail(void) {
  fprintf(stderr, "%s: error while loading shared libraries: %s\n", program_invocation_short_name, dlerror());
  _exit(127);
}

static void load(void) {
  // The others are among those that it depends on, and are searched with it.
  void *library = dlopen("libpangocairo-1.0.so.0", RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) fail();
#define FUNCTION(result, name, parameters, arguments) \
  if ((loaded.name = (__typeof__(&name))dlsym(library, #name)) == NULL) fail();
#include "functions.h"
#undef FUNCTION
}

// By itself, since it begins before the others are there.
__asm__(".hidden FcInit");
int FcInit(void) {
  void *library = dlopen("libfontconfig.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) fail();
  __typeof__(&FcInit) initialize = (__typeof__(&FcInit))dlsym(library, "FcInit");
  if (initialize == NULL) fail();
  return initialize();
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

// Hidden: the libraries are to call each other, and not us.
#define FUNCTION(result, name, parameters, arguments) \
  __asm__(".hidden " #name);                          \
  result name parameters {                            \
    pthread_once(&once, load);                        \
    return loaded.name arguments;                     \
  }
#include "functions.h"
#undef FUNCTION

// Optional, and so not by itself: without it there are no thumbnails, and none of the theme's icons.
int XDnDLoadPixbuf(void) {
  void *library = dlopen("libgdk_pixbuf-2.0.so.0", RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) return 0;
#define FUNCTION(result, name, parameters, arguments) \
  if ((loaded.name = (__typeof__(&name))dlsym(library, #name)) == NULL) return 0;
#include "pixbuf.h"
#undef FUNCTION
  return 1;
}

#define FUNCTION(result, name, parameters, arguments) \
  __asm__(".hidden " #name);                          \
  result name parameters { return loaded.name arguments; }
#include "pixbuf.h"
