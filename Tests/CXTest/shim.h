#ifndef XDND_CXTEST_SHIM_H
#define XDND_CXTEST_SHIM_H

#include <spawn.h>
#include <X11/Xlib.h>

/* As <X11/extensions/XTest.h> has them, which a build without tests does without. */
Bool XTestQueryExtension(Display *display, int *event_base, int *error_base, int *major, int *minor);
int XTestFakeKeyEvent(Display *display, unsigned int keycode, Bool is_press, unsigned long delay);
int XTestFakeButtonEvent(Display *display, unsigned int button, Bool is_press, unsigned long delay);
int XTestFakeMotionEvent(Display *display, int screen, int x, int y, unsigned long delay);

/* glibc declares these under _GNU_SOURCE only, which Swift's import of it does not define. Without the first, a child
   could keep the pipe of another one open for ever. */
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);

#endif
