/*
 * xdnd.h: drag and drop between X11 windows, and the clipboards, for C and languages that can call C.
 *
 * Link with -lxdnd (pkg-config --cflags --libs xdnd). Neither Xlib's headers nor a toolkit is needed.
 *
 * A drop target in short:
 *
 *     static void loaded(xdnd_load *load, xdnd_result result, const xdnd_data *data, void *user) {
 *       if (result == XDND_OK) fwrite(data->bytes, 1, data->length, stdout);
 *     }
 *     static void dropped(xdnd_drop *drop, void *user) {
 *       xdnd_load_options options = {.size = sizeof options, .ended = loaded};
 *       xdnd_load_text(xdnd_drop_content(drop), &options, NULL);
 *     }
 *     ...
 *     const char *types[] = {"text/plain"};
 *     xdnd_target_options target = {.size = sizeof target, .types = types, .type_count = 1, .dropped = dropped};
 *     xdnd_borrow(display, NULL, &context);           // your Display *
 *     xdnd_register(context, window, &target);        // before XMapWindow
 *     for (;;) {
 *       while (XPending(display)) {
 *         XNextEvent(display, &event);
 *         if (!xdnd_filter(context, &event)) handle(&event);
 *       }
 *       xdnd_process(context);
 *       if (XPending(display)) continue;              // a round trip of the library may have read events
 *       struct pollfd wait = {xdnd_fd(context), POLLIN, 0};
 *       poll(&wait, 1, xdnd_timeout(context));
 *     }
 *
 * Handles. Pointers to xdnd_context, xdnd_item, xdnd_drop and so on are handles. They are never dereferenced, not even
 * by the library, and no value is used for a second handle. A call with NULL, with a handle that has ended, or with one
 * of another kind returns XDND_ERROR_HANDLE (or NULL, 0, false; -1 from xdnd_fd() and xdnd_timeout()) and does nothing
 * else. The types below say how long they live.
 *
 * Threads. Use a context, and everything that comes from it, on one thread at a time. Contexts are independent of each
 * other. While the user drags, a thread of the library releases the grab if your loop stops; it runs none of your code.
 * On a borrowed connection the library reads only the events that you give it.
 *
 * Callbacks are called only from inside xdnd_process(), xdnd_filter() and other calls for the same context; `destroyed`
 * of an item's provider also from xdnd_item_free(). They may call the library, and may close the context. Each may be
 * NULL unless it is required. They must return: no exception and no longjmp may pass through the library. `user` is
 * handed back unchanged.
 *
 * Strings are UTF-8 and end with 0. Paths also end with 0, but need not be UTF-8. Strings and data that a callback
 * receives are valid until it returns. A string that a function returns is valid as long as the handle that you passed
 * to the function. The library copies your arguments, unless a comment says otherwise.
 *
 * Structs begin with their size, so that later versions can add members: `xdnd_target_options o = {.size = sizeof o};`.
 * A member that is 0 or NULL has its default. A size of 0 is XDND_ERROR_ARGUMENT.
 *
 * Units. Lengths are in device pixels. Positions are local to the window, or to the root window where a comment says
 * so; the origin is the upper left corner. Times of events are those of the X server, in milliseconds.
 */
#ifndef XDND_H
#define XDND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct _XDisplay; /* Xlib's Display */

/* The id of a window, as in Xlib and XCB. */
typedef uint32_t xdnd_window;

/* One connection to an X server, with its drags, drop targets and clipboards. Lives until xdnd_close(). */
typedef struct xdnd_context xdnd_context;
/* One thing to drag or copy, in one or several representations. Lives until xdnd_item_free(). */
typedef struct xdnd_item xdnd_item;
/* A drag over one of your windows, and the drop. Lives from `entered` until `left` or `ended` has returned. */
typedef struct xdnd_drop xdnd_drop;
/* A drag from your program. Lives until `released` has returned. */
typedef struct xdnd_drag xdnd_drag;
/* The content of a drop or a clipboard, to load from. Lives as long as the drop, or as the context. */
typedef struct xdnd_content xdnd_content;
/* A load in progress. Lives until its `ended` has returned. */
typedef struct xdnd_load xdnd_load;
/* A direct save in progress. Lives until its `ended` has returned. */
typedef struct xdnd_save xdnd_save;
/* A request for your content. Lives until it is answered, or until the context is closed, which refuses it. */
typedef struct xdnd_request xdnd_request;

/* ---- Results ---- */

typedef enum xdnd_result {
  XDND_OK = 0,
  /* The handle is NULL, has ended, or is of another kind. */
  XDND_ERROR_HANDLE = 1,
  /* An argument is NULL, empty or out of range (a type's name has at most 65535 bytes), or a struct's size is 0. */
  XDND_ERROR_ARGUMENT = 2,
  /* No connection to an X server could be opened. */
  XDND_ERROR_DISPLAY_UNAVAILABLE = 3,
  /* The connection to the X server is lost. */
  XDND_ERROR_DISPLAY_CLOSED = 4,
  /* The peer refuses to deliver this type, or the clipboard is empty. */
  XDND_ERROR_REFUSED = 5,
  /* The peer delivered no data, less than it announced, or data that cannot be parsed. */
  XDND_ERROR_FAILED = 6,
  /* The peer has exited, or its window was destroyed. */
  XDND_ERROR_VANISHED = 7,
  /* The peer did not deliver in time, or too slowly. */
  XDND_ERROR_TIMED_OUT = 8,
  /* The content is larger than the limit. */
  XDND_ERROR_TOO_LARGE = 9,
  /* The host has cancelled the load, or has answered the drop before the load ended; or the source has cancelled the
   * delivery. */
  XDND_ERROR_CANCELLED = 10,
  /* Content was requested before the drop, or after its end. */
  XDND_ERROR_NOT_DROPPED = 11,
  /* The process has no file descriptors left. */
  XDND_ERROR_RESOURCES = 12,
  /* A file could not be written. xdnd_message() names it and gives the system's reason. */
  XDND_ERROR_FILE = 13,
  /* The clipboard could not be acquired: another program has acquired it with a later timestamp. */
  XDND_ERROR_NOT_ACQUIRED = 14,
  /* The call is not allowed now. For example, a drop can be answered only once, and not before `dropped` is called. */
  XDND_ERROR_STATE = 15,
  /* An error of a later version. */
  XDND_ERROR_OTHER = 16,
  /* The window does not exist. */
  XDND_ERROR_NO_WINDOW = 17,
  /* The window cannot be a drop target of the context: it is a root window, or it has a proxy of another program or
   * context. */
  XDND_ERROR_WINDOW_UNAVAILABLE = 18
} xdnd_result;

/* The meaning of a result, in English, without a full stop. Never NULL. Valid forever. */
const char *xdnd_result_text(xdnd_result result);

/* Describes the last error of this thread: the error that a call returned, or that an `ended` callback has received. In
 * English, without a full stop; never NULL. Valid until the next error of this thread. */
const char *xdnd_message(void);

/* ---- The library ---- */

/* The version of the header: major * 10000 + minor * 100 + patch, and as a string. */
#define XDND_VERSION 100
#define XDND_VERSION_TEXT "0.1.0"

/* The version of the loaded library, in the same form. */
uint32_t xdnd_version(void);

/* The version of the loaded library as a string, such as "0.1.0". Valid forever. */
const char *xdnd_version_text(void);

/* Whether the loaded library has a feature. This version has "clipboard", "direct-save", "drag-images",
 * "input-devices", "promised-files" and "streams". Later ones may have more. */
bool xdnd_has_feature(const char *name);

/* ---- The context ---- */

typedef struct xdnd_context_options {
  size_t size;
  /* How long the target of your drag may be silent after the drop, and how long you may leave a drop unanswered while
   * no content arrives, in milliseconds. By default 30000. */
  uint32_t finish_timeout;
  /* How long the peer may take for one part of a transfer, in milliseconds. By default 10000. */
  uint32_t transfer_timeout;
  /* How long after the drop you may answer it if you have called xdnd_drop_wait(), in milliseconds. By default 600000,
   * ten minutes. */
  uint32_t wait_timeout;
  /* The largest content in bytes that a load takes into memory or hands to `received`. By default 256 MiB. */
  uint64_t maximum_length;
  /* Whether drags show only a cursor, without an image at the pointer. */
  bool hides_drag_images;
} xdnd_context_options;

/* Opens the library's own connection.
 *
 * `display` is a name such as ":0"; NULL for $DISPLAY. `options` may be NULL. Create the windows that accept drops, and
 * those of xdnd_on_drag(), on xdnd_display(). Their events go to the callback of xdnd_on_event().
 * XDND_ERROR_DISPLAY_UNAVAILABLE, XDND_ERROR_RESOURCES.
 *
 * Descriptors 0 to 2 must be open, if only on /dev/null: the connection takes the lowest free number, and text for
 * standard output or error would otherwise go to the server. The loop is shorter than the one above:
 *
 *     for (;;) {
 *       xdnd_process(context);                          // reads events, and sends requests, yours included
 *       struct pollfd wait = {xdnd_fd(context), POLLIN, 0};
 *       poll(&wait, 1, xdnd_timeout(context));
 *     }
 */
xdnd_result xdnd_connect(const char *display, const xdnd_context_options *options, xdnd_context **context);

/* Uses your connection. You read its events, and pass them to xdnd_filter().
 *
 * The connection stays yours, and must outlive the context: close the context first. After XCloseDisplay() the context
 * behaves as if the connection were lost, and can only be closed. XDND_ERROR_RESOURCES. */
xdnd_result xdnd_borrow(
  struct _XDisplay *display, const xdnd_context_options *options, xdnd_context **context);

/* Ends the context: cancels its drag, rejects drops that are not answered, and unregisters its windows. All handles
 * that came from it end; items stay. Only `destroyed` functions are still called. Inside a callback, the handles end
 * at once, and the rest follows when the outer call returns. */
xdnd_result xdnd_close(xdnd_context *context);

/* The connection. NULL once it is lost. It belongs to the context, unless it is borrowed. */
struct _XDisplay *xdnd_display(xdnd_context *context);

/* The descriptor to poll for reading, instead of the connection's descriptor. It stays the same, and is -1 once the
 * connection is lost. Do not read from it. */
int xdnd_fd(xdnd_context *context);

/* How many milliseconds to sleep at most before the next xdnd_process(), as for poll(): 0 if one is due, -1 for no
 * limit. Call it again after each call into the library. */
int xdnd_timeout(xdnd_context *context);

/* Processes pending events and due deadlines, and sends requests. It does not wait for events. Once the connection is
 * lost, it returns XDND_ERROR_DISPLAY_CLOSED, after the callbacks have been called for the end of drags, drops and
 * loads. Within a callback it reads events, which the outer call processes. */
xdnd_result xdnd_process(xdnd_context *context);

/* Passes an event (an XEvent) from a borrowed connection to the library. Call it before you process the event. Returns
 * whether the library has consumed it. */
bool xdnd_filter(xdnd_context *context, const void *event);

/* Sets the callback for events on the library's own connection that the library does not use. Each is an XEvent, and
 * valid until the callback returns. NULL for no callback. XDND_ERROR_STATE for a borrowed connection. */
xdnd_result xdnd_on_event(
  xdnd_context *context, void (*callback)(const void *event, void *user), void *user);

/* Waits until the server has processed all requests: one round trip. Call it before exit() in a program that does not
 * close its context: the server may not read the last requests of a client that has exited. */
xdnd_result xdnd_synchronize(xdnd_context *context);

/* ---- Operations ---- */

typedef enum xdnd_operation {
  XDND_NONE = 0,
  XDND_COPY = 1,
  XDND_MOVE = 2,
  XDND_LINK = 3,
  /* The target asks the user. */
  XDND_ASK = 4,
  /* Any other operation. */
  XDND_PRIVATE = 5
} xdnd_operation;

/* ---- Drop targets ---- */

typedef enum xdnd_exit {
  XDND_EXIT_LEFT = 0,
  XDND_EXIT_SOURCE_VANISHED = 1,
  /* Another drag has entered the window before this one has left. */
  XDND_EXIT_REPLACED = 2,
  /* The source dropped although the target had refused, or had not answered in time. */
  XDND_EXIT_REFUSED = 3,
  XDND_EXIT_UNREGISTERED = 4
} xdnd_exit;

typedef enum xdnd_drop_result {
  XDND_DROP_FINISHED = 0,
  XDND_DROP_REJECTED = 1,
  XDND_DROP_SOURCE_VANISHED = 2,
  /* The host has neither answered the drop nor loaded content for `finish_timeout`; or it called xdnd_drop_wait(), and
   * has not answered within `wait_timeout`. The library has rejected the drop. */
  XDND_DROP_TIMED_OUT = 3
} xdnd_drop_result;

/* The answer to a position. */
typedef struct xdnd_proposal {
  /* The operation of a drop here; XDND_NONE to refuse it. */
  xdnd_operation operation;
  /* A rectangle, local to the window, in which the answer stays the same: sources may omit positions there. Empty if
   * its width or height is 0. */
  int x, y, width, height;
  /* Nonzero if the rectangle marks the place of the drop, such as an insertion point or a tab. Larger drag images make
   * way for it, and sources report every position. */
  int is_mark;
} xdnd_proposal;

typedef struct xdnd_target_options {
  size_t size;
  /* The types that are accepted, best first: MIME types, patterns such as "image/" with a star, or names of X targets.
   * "text/plain" accepts text under all its names. Required. */
  const char *const *types;
  size_t type_count;
  /* The operations that are supported. By default XDND_COPY. The source's request decides: with Shift, users ask for a
   * move, with Ctrl for a copy, with both for a link, with Alt to be asked. The order matters only if the requested
   * operation is not among them. */
  const xdnd_operation *operations;
  size_t operation_count;
  void *user;
  /* The registration has ended. Release `user` here. */
  void (*destroyed)(void *user);
  /* A drag has entered the window, even one without an accepted type. With an area: a drag with an accepted type has
   * entered the area. */
  void (*entered)(xdnd_drop *drop, void *user);
  /* The pointer has moved, or the user requests another operation. `proposal` holds the answer that follows from types
   * and operations; change it to give another one. Return quickly: the source waits. Not repeated while the pointer
   * rests: if rows move under it, decide again in `dropped`. */
  void (*moved)(xdnd_drop *drop, int x, int y, xdnd_proposal *proposal, void *user);
  /* The drag has left without a drop. The handle ends. */
  void (*left)(xdnd_drop *drop, xdnd_exit reason, void *user);
  /* The drag was dropped. Begin loads here. Answer with xdnd_drop_finish() or xdnd_drop_reject(), at the latest in
   * `ended` of the last load; xdnd_drop_wait() gives you more time. Otherwise the library answers once `dropped` has
   * returned and all loads have ended: it finishes the drop if a load succeeded, and rejects it if none did. If another
   * load failed, a move is finished as a copy. Required. */
  void (*dropped)(xdnd_drop *drop, void *user);
  /* The drop is over. `operation` is the one that was performed. The handle ends. */
  void (*ended)(xdnd_drop *drop, xdnd_drop_result result, xdnd_operation operation, void *user);
  /* The part of the window that accepts drops; the whole window if the width or height is 0. `entered` and `left` refer
   * to this part. If the window belongs to another program that accepts drops, that program receives the drops
   * elsewhere. */
  int area_x, area_y, area_width, area_height;
  /* Nonzero to read no files. By default, a list of local files is accepted if one of the files has an accepted type,
   * such as a picture from a file manager; a load of that type reads the first such file. While the drag hovers, the
   * files' names decide. To get all files, accept "text/uri-list" first, and load it with xdnd_load_paths(). */
  int no_files;
} xdnd_target_options;

/* Registers a window as a drop target. Call it before the window is mapped: some sources look only once. The window is
 * a top-level window of the context's connection. A second call replaces the first. Drags that are already over the
 * window keep their callbacks; the old `destroyed` is called when they have ended.
 *
 * A window of another connection, of this program or another one, accepts drops through a proxy: its XdndAware and
 * XdndProxy are replaced until it is unregistered. Pass the top-level window, which has WM_STATE.
 *
 * The registration ends, with `destroyed`, if the window is destroyed, or if another program takes over its drops.
 * XDND_ERROR_NO_WINDOW, XDND_ERROR_WINDOW_UNAVAILABLE. */
xdnd_result xdnd_register(xdnd_context *context, xdnd_window window, const xdnd_target_options *options);

/* Returns the top-level window that contains a window, or the window if it is top-level: the nearest one with WM_STATE,
 * or else the child of the root. 0 if the window does not exist. Takes a round trip for each level.
 *
 * Use it for a window inside another program's window, such as a plug of XEmbed: sources look for targets among
 * top-level windows. Register the top-level window with your window's place as the area, and again when your window has
 * moved. */
xdnd_window xdnd_top_level_window(xdnd_context *context, xdnd_window window);

/* Unregisters a window. Drops that are not answered are rejected: `left` or `ended` follows, and then `destroyed`;
 * within a callback, when the outer call returns. Without effect if it is not registered. */
xdnd_result xdnd_unregister(xdnd_context *context, xdnd_window window);

/* The number of types that the source offers, and their names, best first; NULL beyond the last one. */
size_t xdnd_drop_type_count(xdnd_drop *drop);
const char *xdnd_drop_type(xdnd_drop *drop, size_t index);

/* The best accepted type: one that the source offers, or the type of an offered file. NULL if there is none. */
const char *xdnd_drop_best_type(xdnd_drop *drop);

/* The pointer's position in the window, and on the root window. The first takes a round trip only if the window, or one
 * around it, was reparented; XDND_ERROR_VANISHED if the window was destroyed. */
xdnd_result xdnd_drop_position(xdnd_drop *drop, int *x, int *y);
xdnd_result xdnd_drop_root_position(xdnd_drop *drop, int *x, int *y);

/* The operation that the user requests; after the drop, the operation that was agreed on. */
xdnd_operation xdnd_drop_operation(xdnd_drop *drop);

/* The registered window, and the source's window, which the user seldom sees. 0 for an invalid handle. */
xdnd_window xdnd_drop_window(xdnd_drop *drop);
xdnd_window xdnd_drop_source(xdnd_drop *drop);

/* Answers a drop with the operation that was performed. It may be a copy instead of the agreed operation; a move or a
 * link that was not agreed on is reported as the agreed one. After a move, the library asks the source to delete its
 * content. Unfinished loads are cancelled. The drop and its handle may end before the call returns. XDND_ERROR_STATE
 * before the drop, and for a second answer. */
xdnd_result xdnd_drop_finish(xdnd_drop *drop, xdnd_operation operation);

/* Rejects a drop. XDND_ERROR_STATE as above. */
xdnd_result xdnd_drop_reject(xdnd_drop *drop);

/* Keeps the drop open until you answer it: while you ask the user, or work on the loaded content. The source waits
 * meanwhile. If you do not answer, the drop is rejected `wait_timeout` after the drop, or `finish_timeout` after the
 * last progress of a load if that is later. `ended` then gets XDND_DROP_TIMED_OUT, or XDND_DROP_SOURCE_VANISHED if the
 * source exits first. XDND_ERROR_STATE as above. */
xdnd_result xdnd_drop_wait(xdnd_drop *drop);

/* ---- Loading ---- */

/* The content of a drop, to load from. NULL for an invalid handle. */
xdnd_content *xdnd_drop_content(xdnd_drop *drop);

/* Loaded content. */
typedef struct xdnd_data {
  /* The type of the property that the peer has delivered; it may differ from the requested type. From xdnd_load_text()
   * "text/plain;charset=utf-8", from xdnd_load_paths() "text/uri-list". */
  const char *type;
  /* The content, without a terminating 0; NULL if it went to `received` or to a file. */
  const void *bytes;
  /* The number of bytes that have arrived. */
  size_t length;
} xdnd_data;

typedef struct xdnd_load_options {
  size_t size;
  /* The largest number of bytes to accept; 0 for `maximum_length`, or for 16 GiB into a file. */
  uint64_t limit;
  void *user;
  /* A part has arrived. `expected` is the total length, or -1 if it is unknown; for an INCR transfer it is a lower
   * bound. */
  void (*progress)(xdnd_load *load, uint64_t received, int64_t expected, void *user);
  /* Receives the parts in order, instead of all bytes at the end. Return false to end the load with
   * XDND_ERROR_CANCELLED. Not used for files. */
  bool (*received)(xdnd_load *load, const void *bytes, size_t length, void *user);
  /* The load has ended, and its handle ends with it. Called once for each load, possibly before the call that began it
   * has returned. `data` is NULL unless the result is XDND_OK; xdnd_message() describes an error. */
  void (*ended)(xdnd_load *load, xdnd_result result, const xdnd_data *data, void *user);
} xdnd_load_options;

/* Begins to load the bytes of a type, as the source encodes them; for text, xdnd_load_text() decodes them. A pattern
 * loads the best offered type that matches it. `options` may be NULL, and so may `load`, which receives the handle. */
xdnd_result xdnd_load_type(
  xdnd_content *content, const char *type, const xdnd_load_options *options, xdnd_load **load);

/* Begins to load text from the best type that both source and library support, as UTF-8 without a terminating 0. */
xdnd_result xdnd_load_text(xdnd_content *content, const xdnd_load_options *options, xdnd_load **load);

/* Begins to load the paths of the local files in a list of files, each followed by a 0. URIs that name no local file
 * are left out: load "text/uri-list" for them. */
xdnd_result xdnd_load_paths(xdnd_content *content, const xdnd_load_options *options, xdnd_load **load);

/* Begins to load a type into a file, which appears when it is complete and on the disk. If it cannot be written, no
 * part of it remains, and an earlier file stays unchanged. If `replaces` is false and the file exists, the load ends
 * with XDND_ERROR_FILE. */
xdnd_result xdnd_load_to_file(
  xdnd_content *content, const char *type, const char *path, bool replaces, const xdnd_load_options *options,
  xdnd_load **load);

/* Cancels a load, which ends with XDND_ERROR_CANCELLED. */
xdnd_result xdnd_load_cancel(xdnd_load *load);

/* ---- Direct save ---- */

/* Whether the source offers direct save (XDS), as archivers and image editors do: it writes the files itself, where you
 * say. Accept "XdndDirectSave0", and begin the save in `dropped`. */
bool xdnd_drop_offers_save(xdnd_drop *drop);

typedef struct xdnd_save_options {
  size_t size;
  /* The name of the file if the source gives no usable one. By default "untitled". */
  const char *fallback_name;
  void *user;
  /* More bytes were saved. `expected` is the total length, or -1 if it is unknown. */
  void (*progress)(xdnd_save *save, uint64_t saved, int64_t expected, void *user);
  /* The save has ended, and its handle ends with it. Called once, possibly before the call that began it has returned.
   * `paths` are the `count` new files or directories, each path beginning with the directory as you passed it; NULL
   * unless the result is XDND_OK. */
  void (*ended)(xdnd_save *save, xdnd_result result, const char *const *paths, size_t count, void *user);
} xdnd_save_options;

/* Asks the source to save into a directory. Files appear there when they are complete and on the disk. Nothing is
 * written elsewhere or overwritten, whatever name the source uses. If the source cannot save there and offers
 * "application/octet-stream", that type is loaded. `options` and `save` may be NULL.
 *
 * The save counts as a load for the answer to the drop. For a source that saves only after the end of the drop, the
 * drop is finished as a copy, and the save continues. XDND_ERROR_FILE if the directory cannot be written to,
 * XDND_ERROR_STATE before the drop and after its answer. */
xdnd_result xdnd_save_into(
  xdnd_drop *drop, const char *directory, const xdnd_save_options *options, xdnd_save **save);

/* Cancels a save, which ends with XDND_ERROR_CANCELLED. No partial file remains. */
xdnd_result xdnd_save_cancel(xdnd_save *save);

/* ---- Scrolling and spring loading ---- */

/* Functions for a view that scrolls, or an item that opens, under a resting drag. They depend only on their arguments,
 * and agree with the drop regions of the Swift library. Call them in `moved`, and from your timer while the pointer
 * rests. */

/* Which margin of a view contains the pointer, along one axis: -1 the start's, 1 the end's, 0 neither. A margin is 32
 * pixels wide, but at most a quarter of the view. */
int xdnd_scroll_margin(int position, int start, int length);

/* The speed to scroll at, in pixels per second, negative towards the start. `resting` is the time in milliseconds since
 * the pointer entered the margin. Scrolling begins after 250 ms, and gets faster for two seconds. */
double xdnd_scroll_speed(int position, int start, int length, uint32_t resting);

typedef enum xdnd_spring {
  /* Highlight the folder, tab or button. */
  XDND_SPRING_RESTS = 0,
  /* Show it differently from the highlight: it blinks twice before it opens. */
  XDND_SPRING_BLINKS = 1,
  /* Open it, once. */
  XDND_SPRING_OPENS = 2
} xdnd_spring;

/* The state of a folder, tab or button that opens under a drag, when the pointer has rested on it for `resting`
 * milliseconds. Restart at 0 when the pointer has moved by more than 6 pixels, unless the blinking has begun: it blinks
 * from 500 to 580 ms and from 660 to 740 ms. It opens after 820 ms, and the result stays XDND_SPRING_OPENS. Pass false
 * for `blinks` if the user has animations off: it then opens after the same time without blinking. */
xdnd_spring xdnd_spring_at(uint32_t resting, bool blinks);

/* ---- Items ---- */

/* A picture: rows from the top, pixels from the left, each 0xAARRGGBB in this machine's byte order, with premultiplied
 * alpha. */
typedef struct xdnd_image {
  size_t size;
  /* From 1 to 32767. */
  int width, height;
  /* width * height pixels. */
  const uint32_t *pixels;
  /* Where the pointer is in the image. */
  int hotspot_x, hotspot_y;
} xdnd_image;

/* Creates an item without representations. */
xdnd_result xdnd_item_new(xdnd_item **item);

/* Frees an item. Drags and clipboards keep what they need. */
xdnd_result xdnd_item_free(xdnd_item *item);

/* Each of these adds a representation of lower fidelity than those before. */

/* Text, under the type names that X11 programs use. */
xdnd_result xdnd_item_add_text(xdnd_item *item, const char *utf8);
/* Bytes, which are copied. */
xdnd_result xdnd_item_add_bytes(xdnd_item *item, const char *type, const void *bytes, size_t length);
/* The contents of a file, which is opened when a requestor asks for the type. */
xdnd_result xdnd_item_add_contents(xdnd_item *item, const char *type, const char *path);
/* Files on this machine, by absolute paths, as a list ("text/uri-list"). */
xdnd_result xdnd_item_add_files(xdnd_item *item, const char *const *paths, size_t count);

/* Answers a request with one of the xdnd_request_ functions below, now or later. */
typedef void (*xdnd_provider)(xdnd_request *request, const char *type, void *user);

/* Content that the provider makes when a requestor asks for it. `destroyed` is called once the item is freed and no
 * drag or clipboard holds its content. */
xdnd_result xdnd_item_add_provider(
  xdnd_item *item, const char *type, xdnd_provider provider, void *user, void (*destroyed)(void *user));

/* A promised file, which is written when a target wants it, under the suggested name. `length` is -1 if it is
 * unknown. */
xdnd_result xdnd_item_promise_file(
  xdnd_item *item, const char *name, const char *type, int64_t length, xdnd_provider provider, void *user,
  void (*destroyed)(void *user));

/* A promised copy of a file or of a directory, made when a target wants it. `name` may be NULL for the original's. */
xdnd_result xdnd_item_promise_copy(xdnd_item *item, const char *path, const char *name);

/* The operations that are permitted. By default XDND_COPY. Without a modifier key, a drag asks for a copy if it is
 * permitted, and otherwise for the first one. Over the window that it comes from, a drag of xdnd_on_drag() asks for a
 * move if that is permitted. Shift asks for a move, Ctrl for a copy, both for a link, Alt to be asked. */
xdnd_result xdnd_item_set_operations(xdnd_item *item, const xdnd_operation *operations, size_t count);

/* The image at the pointer; the pixels are copied. By default the library draws one. XDND_ERROR_ARGUMENT without
 * pixels, or if a side is not from 1 to 32767. */
xdnd_result xdnd_item_set_image(xdnd_item *item, const xdnd_image *image);

/* Answers a request with bytes, which are copied. */
xdnd_result xdnd_request_fulfill(xdnd_request *request, const void *bytes, size_t length);
/* Answers with the contents of a file, read part by part. If the file changes before its end is read, the transfer
 * fails. */
xdnd_result xdnd_request_fulfill_from_file(xdnd_request *request, const char *path);
/* Answers with the bytes of a pipe or a socket until its end. The library owns the descriptor, and closes it. */
xdnd_result xdnd_request_fulfill_from_fd(xdnd_request *request, int fd);
/* Refuses. */
xdnd_result xdnd_request_refuse(xdnd_request *request);

/* ---- Dragging ---- */

typedef enum xdnd_outcome {
  /* The target has confirmed the drop. */
  XDND_OUTCOME_DROPPED = 0,
  /* The content was dropped on a target that does not confirm drops. */
  XDND_OUTCOME_UNCONFIRMED = 1,
  XDND_OUTCOME_REFUSED = 2,
  XDND_OUTCOME_NO_TARGET = 3,
  /* Cancelled by the user, by xdnd_drag_cancel() or xdnd_drag_cancel_delivery(), because the button was already up,
   * because another program holds the pointer or has begun a drag, or because `time` is before your own last grab. */
  XDND_OUTCOME_CANCELLED = 4,
  XDND_OUTCOME_TIMED_OUT = 5,
  XDND_OUTCOME_TARGET_VANISHED = 6,
  XDND_OUTCOME_TRANSFER_FAILED = 7,
  XDND_OUTCOME_SERVER_LOST = 8,
  /* The target received complete content, and then reported failure. Many targets do that although they have used the
   * content. Delete nothing. */
  XDND_OUTCOME_DELIVERED = 9
} xdnd_outcome;

typedef struct xdnd_drag_options {
  size_t size;
  /* The dragged items, in order. Required. */
  xdnd_item *const *items;
  size_t item_count;
  /* The button that is held, as in XButtonEvent; 0 if none is held, so that a click with button 1 drops. */
  uint32_t button;
  /* The time of the press; 0 for the server's time now, which takes a round trip. */
  uint32_t time;
  void *user;
  /* The library no longer uses these options. Release `user` here. */
  void (*destroyed)(void *user);
  /* The pointer and the keyboard are grabbed. Not called if the drag ends before that. */
  void (*began)(xdnd_drag *drag, void *user);
  /* A drop at the pointer would have another result now. XDND_NONE: the target refuses, or there is no target. */
  void (*proposed)(xdnd_drag *drag, xdnd_operation operation, void *user);
  /* The content was dropped. The target loads it now. */
  void (*dropped)(xdnd_drag *drag, xdnd_operation operation, void *user);
  /* The target has moved the content, and asks the source to delete it. Other targets only report the move, so delete
   * your own content in `ended` if its operation is XDND_MOVE. Targets move files themselves. */
  void (*deletion_requested)(xdnd_drag *drag, void *user);
  /* The drag is over. Targets may still request its content. */
  void (*ended)(xdnd_drag *drag, xdnd_outcome outcome, xdnd_operation operation, void *user);
  /* The content can no longer be requested: later drags or another program have replaced it, or its delivery was
   * cancelled. Some targets load late, so this may be minutes after `ended`. The handle ends. */
  void (*released)(xdnd_drag *drag, void *user);
  /* Another client of the server holds the pointer, so the drag cannot begin yet. If you read the press on a connection
   * of your own, that connection holds it: release its grab (XUngrabPointer, xcb_ungrab_pointer, or XIUngrabDevice for
   * a press by XInput 2), and flush. The library retries for a second. */
  void (*grab_needed)(xdnd_drag *drag, void *user);
  /* The `deviceid` of the press if it was an event of XInput 2; 0 for a core event. Ignored by xdnd_on_drag(), which
   * knows the device. */
  int device;
  /* Whether the press was an XI_TouchBegin, whose `detail` is `touch`. */
  bool is_touch;
  uint32_t touch;
  /* More content was sent. `expected` is the length of all content that was requested until now, or -1 if it is
   * unknown. */
  void (*progress)(xdnd_drag *drag, uint64_t sent, int64_t expected, void *user);
} xdnd_drag_options;

/* Called when a press at (x, y) of the window becomes a drag. Sets the members of `options`, except `size` and those
 * that describe the press, and returns true; or returns false if there is nothing to drag. `items` must stay
 * valid until the next callback, for example in static memory: the library reads it after this function has returned.
 * An item can be dragged any number of times. */
typedef bool (*xdnd_drag_source)(xdnd_window window, int x, int y, xdnd_drag_options *options, void *user);

/* Observes the presses of button 1 in a window, and begins a drag when the pointer moves with the button held; a click
 * stays a click. Select your own events first. A second call for the window replaces the first. NULL for `source` ends
 * the observation. */
xdnd_result xdnd_on_drag(xdnd_context *context, xdnd_window window, xdnd_drag_source source, void *user);

/* Begins a drag by the pointer, for programs that detect drags themselves: call it once the pointer has moved after a
 * press. Returns at once. `drag` may be NULL.
 *
 * Until the button is released, the server has grabbed the pointer for the connection that received the press. If that
 * is not the context's connection, release the grab there first, with XUngrabPointer() and XSync(), or in
 * `grab_needed`. Otherwise the drag is cancelled after a second. A toolkit whose grab was released does not see the
 * button go up. SDL 2 would lose the next press: first send its window a ButtonRelease (XSendEvent). */
xdnd_result xdnd_begin_drag(xdnd_context *context, const xdnd_drag_options *options, xdnd_drag **drag);

/* Drops on a window without the pointer: for scripts and tests. (x, y) is local to the window. `button` and `time` of
 * the options are not used. */
xdnd_result xdnd_drop_on(
  xdnd_context *context, xdnd_window window, int x, int y, const xdnd_drag_options *options, xdnd_drag **drag);

/* Ends a drag without a drop. After the drop it only ends the wait for the target's answer. */
xdnd_result xdnd_drag_cancel(xdnd_drag *drag);

/* Cancels the delivery of dropped content, with its unfinished transfers, if the user does not want to wait for it. */
xdnd_result xdnd_drag_cancel_delivery(xdnd_drag *drag);

/* Whether the image of a drag that has ended is still on the screen. A program that exits after its drag should first
 * run its event loop until this is false. */
bool xdnd_is_animating(xdnd_context *context);

/* ---- Clipboards ---- */

typedef enum xdnd_clipboard_kind {
  /* Copy and paste. */
  XDND_CLIPBOARD = 0,
  /* The selected content, which the middle button inserts. */
  XDND_PRIMARY = 1
} xdnd_clipboard_kind;

/* A clipboard, to load from. Lives as long as the context. NULL for an invalid handle or kind. */
xdnd_content *xdnd_clipboard(xdnd_context *context, xdnd_clipboard_kind kind);

/* Puts content on a clipboard. `time` is the time of the user's event, such as a key press; 0 for the server's time
 * now. XDND_ERROR_NOT_ACQUIRED. */
xdnd_result xdnd_clipboard_write(
  xdnd_context *context, xdnd_clipboard_kind kind, xdnd_item *item, uint32_t time);

/* Removes your content from a clipboard. Content of other programs stays. */
xdnd_result xdnd_clipboard_clear(xdnd_context *context, xdnd_clipboard_kind kind);

/* Requests the types on a clipboard, best first. `ended` is called once, possibly before the call returns; `types` is
 * NULL unless the result is XDND_OK. */
xdnd_result xdnd_clipboard_load_types(
  xdnd_context *context, xdnd_clipboard_kind kind,
  void (*ended)(xdnd_result result, const char *const *types, size_t count, void *user), void *user);

#ifdef __cplusplus
}
#endif

#endif
