#ifndef XDND_CXTEST_SHIM_H
#define XDND_CXTEST_SHIM_H

#include <spawn.h>

/* Without <X11/Xlib.h>: its types belong to the module XDnDX11. Two modules that had them would make it a matter of chance
 * which one Swift means. */
typedef struct _XDisplay XTestDisplay;

/* As <X11/extensions/XTest.h> has them, which a build without tests does without. */
int XTestQueryExtension(XTestDisplay *display, int *event_base, int *error_base, int *major, int *minor);
int XTestFakeKeyEvent(XTestDisplay *display, unsigned int keycode, int is_press, unsigned long delay);
int XTestFakeButtonEvent(XTestDisplay *display, unsigned int button, int is_press, unsigned long delay);
int XTestFakeMotionEvent(XTestDisplay *display, int screen, int x, int y, unsigned long delay);

/* As <X11/extensions/XInput2.h> has them: the client library of XInput 2, which hosts use. */
typedef struct {
  int deviceid;
  int mask_len;
  unsigned char *mask;
} XIEventMask;

typedef struct {
  int deviceid;
  char *name;
  int use;
  int attachment;
  int enabled;
  int num_classes;
  void **classes;
} XIDeviceInfo;

typedef struct {
  int type;
  char *name;
  int send_core;
  int enable;
} XIAddMasterInfo;

typedef struct {
  int type;
  unsigned long serial;
  int send_event;
  XTestDisplay *display;
  int extension;
  int evtype;
  unsigned long time;
  int deviceid;
  int sourceid;
  int detail;
  unsigned long root;
  unsigned long event;
  unsigned long child;
  double root_x;
  double root_y;
  double event_x;
  double event_y;
  int flags;
  struct {
    int mask_len;
    unsigned char *mask;
  } buttons;
  struct {
    int mask_len;
    unsigned char *mask;
    double *values;
  } valuators;
  struct {
    int base, latched, locked, effective;
  } mods, group;
} XIDeviceEvent;

typedef struct {
  int modifiers;
  int status;
} XIGrabModifiers;

int XIQueryVersion(XTestDisplay *display, int *major, int *minor);
int XISelectEvents(XTestDisplay *display, unsigned long window, XIEventMask *masks, int count);
XIDeviceInfo *XIQueryDevice(XTestDisplay *display, int device, int *count);
void XIFreeDeviceInfo(XIDeviceInfo *info);
/* The second parameter is a union of all changes. */
int XIChangeHierarchy(XTestDisplay *display, XIAddMasterInfo *changes, int count);
int XISetClientPointer(XTestDisplay *display, unsigned long window, int device);
int XIGrabTouchBegin(
    XTestDisplay *display, int device, unsigned long window, int owner_events, XIEventMask *mask, int count,
    XIGrabModifiers *modifiers);
int XIAllowTouchEvents(XTestDisplay *display, int device, unsigned touch, unsigned long window, int mode);
int XIUngrabDevice(XTestDisplay *display, int device, unsigned long time);

/* glibc declares these under _GNU_SOURCE only, which Swift's import of it does not define. Without the first, a child
   could keep the pipe of another one open for ever. */
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);

#endif
