#ifndef XDND_LOADED_ACCESSIBILITY_H
#define XDND_LOADED_ACCESSIBILITY_H

// The tools' windows for assistive technology: objects of ATK, which ATK's bridge shows to AT-SPI 2.
//
// The libraries are loaded on demand: libdbus-1, which asks the session bus whether assistive technology is on, and
// libatk-bridge-2.0 once it is. Building needs neither them nor their headers; scripts/check-declarations compares the
// declarations.
//
// ATK belongs to one thread: all functions are called on the thread that called XDnDAccessibilityBegin, except
// XDnDAwaitAssistiveTechnology, which uses no ATK.

#include <stdint.h>

/// Sleeps until the session bus reports that assistive technology is on (`org.a11y.Status`, `IsEnabled` or
/// `ScreenReaderEnabled`), and returns 1.
///
/// Returns 0 if there is no libdbus-1 or session bus, if the bus ends, or when `stop` is readable.
int XDnDAwaitAssistiveTechnology(int stop);

// ATK's values.
typedef enum {
  ATK_ROLE_ALERT = 2,
  ATK_ROLE_CHECK_BOX = 7,
  ATK_ROLE_FRAME = 22,
  ATK_ROLE_IMAGE = 26,
  ATK_ROLE_LABEL = 28,
  ATK_ROLE_LIST = 30,
  ATK_ROLE_LIST_ITEM = 31,
  ATK_ROLE_PANEL = 38,
  ATK_ROLE_PROGRESS_BAR = 41,
  ATK_ROLE_PUSH_BUTTON = 42,
  ATK_ROLE_STATUSBAR = 53,
  ATK_ROLE_APPLICATION = 73,
  ATK_ROLE_HEADING = 81,
} AtkRole;

// States are sets of bits: bit N is the state with the value N.
typedef enum {
  ATK_STATE_ACTIVE = 1,
  ATK_STATE_CHECKED = 4,
  ATK_STATE_DEFUNCT = 5,
  ATK_STATE_ENABLED = 7,
  ATK_STATE_FOCUSABLE = 10,
  ATK_STATE_FOCUSED = 11,
  ATK_STATE_MULTISELECTABLE = 16,
  ATK_STATE_SELECTABLE = 20,
  ATK_STATE_SELECTED = 21,
  ATK_STATE_SENSITIVE = 22,
  ATK_STATE_SHOWING = 23,
  ATK_STATE_VISIBLE = 28,
  ATK_STATE_INDETERMINATE = 30,
  ATK_STATE_INVALID_ENTRY = 33,
  ATK_STATE_DEFAULT = 36,
} AtkStateType;

/// The interfaces of an object, besides `AtkComponent`, which all objects have.
enum {
  XDND_ACCESSIBLE_ACTION = 1 << 0,
  XDND_ACCESSIBLE_SELECTION = 1 << 1,
  XDND_ACCESSIBLE_VALUE = 1 << 2,
  XDND_ACCESSIBLE_WINDOW = 1 << 3,
};

/// A request from assistive technology.
typedef enum {
  /// Perform the object's action.
  XDND_REQUEST_ACT,
  XDND_REQUEST_FOCUS,
  /// Select the child, in addition to others where that is possible.
  XDND_REQUEST_SELECT,
  XDND_REQUEST_DESELECT,
  XDND_REQUEST_SELECT_ALL,
  XDND_REQUEST_SELECT_NONE,
} XDnDAccessibleRequest;

/// An object that assistive technology sees. The creator holds one reference.
typedef struct XDnDAccessible XDnDAccessible;

/// Loads ATK, connects the bridge to the accessibility bus and makes the application's object. Returns 0 if that fails;
/// then no other function may be called.
///
/// `request` is called on the calling thread, while XDnDAccessibilityRun runs. `object` is the object's id, and `child`
/// the index of the child to select or deselect.
int XDnDAccessibilityBegin(
  const char *name, void *context,
  void (*request)(void *context, int64_t object, XDnDAccessibleRequest request, int child));

/// Answers assistive technology, and calls `receive`, with the context of `XDnDAccessibilityBegin`, whenever `bell` is
/// readable, until `receive` returns 0. Then takes the application off the bus.
void XDnDAccessibilityRun(int bell, int (*receive)(void *context));

XDnDAccessible *XDnDAccessibleMake(int64_t id, AtkRole role, unsigned interfaces);
/// Adds an object to a parent, which takes over the reference. Without a parent it becomes a window of the application.
void XDnDAccessibleInsert(XDnDAccessible *object, XDnDAccessible *parent, int index);
/// Removes an object from its parent and releases it.
void XDnDAccessibleRemove(XDnDAccessible *object);

// Once the object is inserted, the setters notify assistive technology of the change, except those for the origin and
// the action.

void XDnDAccessibleSetName(XDnDAccessible *object, const char *name);
void XDnDAccessibleSetDescription(XDnDAccessible *object, const char *description);
void XDnDAccessibleSetStates(XDnDAccessible *object, uint64_t states);
/// In device pixels, local to the window.
void XDnDAccessibleSetBox(XDnDAccessible *object, int x, int y, int width, int height);
/// The upper left corner of the window in root pixels.
void XDnDAccessibleSetOrigin(int x, int y);
/// The name of the action; empty for no action. `key` is the key that performs it; may be empty.
void XDnDAccessibleSetAction(XDnDAccessible *object, const char *action, const char *key);
/// From 0 to 1.
void XDnDAccessibleSetValue(XDnDAccessible *object, double value);
/// Notifies assistive technology that the selected children have changed.
void XDnDAccessibleSelectionChanged(XDnDAccessible *object);

/// Emits `create`, `activate` or `deactivate` of a window. The bridge emits `destroy` at the end.
void XDnDAccessibleEmit(XDnDAccessible *window, const char *signal);

/// Speaks a message, with ATK's signal `notification`, or else `announcement`, if the installed ATK has either.
void XDnDAccessibleAnnounce(XDnDAccessible *window, const char *message);

#endif
