// Loads cairo, pango and their dependencies, about thirty libraries, at the first call instead of at program start:
// loading them takes half of the time until a window is on the screen. The linker's `--as-needed` does not help:
// SwiftPM puts it behind the libraries that `pkgConfig` adds.
//
// Each function is defined here under its own name and forwards its arguments to the loaded one, so callers need no
// changes.

#define _GNU_SOURCE
#include "drawing.h"

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

// Reports a missing library and exits, as ld.so does.
static void fail(void) {
  fprintf(stderr, "%s: error while loading shared libraries: %s\n", program_invocation_short_name, dlerror());
  _exit(127);
}

static void load(void) {
  // The other libraries are its dependencies; dlsym searches them too.
  void *library = dlopen("libpangocairo-1.0.so.0", RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) fail();
#define FUNCTION(result, name, parameters, arguments) \
  if ((loaded.name = (__typeof__(&name))dlsym(library, #name)) == NULL) fail();
#include "functions.h"
#undef FUNCTION
}

int XDnDHasDrawing(void) { return dlopen("libpangocairo-1.0.so.0", RTLD_LAZY | RTLD_LOCAL) != NULL; }

// Loaded separately, because it is called before the other libraries are loaded.
__asm__(".hidden FcInit");
int FcInit(void) {
  void *library = dlopen("libfontconfig.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) fail();
  __typeof__(&FcInit) initialize = (__typeof__(&FcInit))dlsym(library, "FcInit");
  if (initialize == NULL) fail();
  return initialize();
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

// Hidden, so that the libraries call each other's functions, and not these definitions.
#define FUNCTION(result, name, parameters, arguments) \
  __asm__(".hidden " #name);                          \
  result name parameters {                            \
    pthread_once(&once, load);                        \
    return loaded.name arguments;                     \
  }
#include "functions.h"
#undef FUNCTION

// Not loaded implicitly, because it is optional: without it there are no thumbnails and no icons of the theme.
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
