/*
 * xdnd.h: drag and drop, and the clipboards, between X11 windows, for C and everything that can call C.
 *
 * Link with -lxdnd (pkg-config --cflags --libs xdnd). Nothing here needs Xlib's headers, or a toolkit.
 *
 * A drop target in short:
 *
 *     static void loaded(xdnd_load *load, xdnd_result result, const xdnd_data *data, void *user) {
 *       if (result == XDND_OK) fwrite(data->bytes, 1, data->length, stdout);
 *     }
 *     static void dropped(xdnd_drop *drop, void *user) {
 *       xdnd_load_options options = {.size = sizeof options, .ended = loaded};
 *       xdnd_load_type(xdnd_drop_content(drop), "text/plain", &options, NULL);
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
 *       if (XPending(display)) continue;              // what a round trip of the library has brought
 *       struct pollfd wait = {xdnd_fd(context), POLLIN, 0};
 *       poll(&wait, 1, xdnd_timeout(context));
 *     }
 *
 * Handles. Pointers to xdnd_context, xdnd_item, xdnd_drop and so on are handles: never dereferenced, not even by the
 * library, and never used twice. A call with NULL, with a handle that has ended, or with one of another kind returns
 * XDND_ERROR_HANDLE (or NULL, 0, false) and does nothing else. Each kind says below how long it lives.
 *
 * Threads. A context, and all that comes from it, is used by one thread at a time. Contexts are independent of each
 * other. The library starts no threads, and reads no event that you have not given it.
 *
 * Callbacks are called from inside xdnd_process(), xdnd_filter() and other calls for the same context, never from
 * elsewhere. They may call the library, and may close the context. Each may be NULL. They must return: no exception, no
 * longjmp through the library. `user` is handed back as it is.
 *
 * Strings are UTF-8 and end with 0, except paths, which are the bytes of the file system. What the library hands out is
 * valid until the callback returns, or as long as the handle that it was asked from. What you hand in is copied, unless
 * it says otherwise.
 *
 * Structs begin with their size, so that later versions can add members: `xdnd_target_options o = {.size = sizeof o};`.
 * A member that is 0 or NULL has its default. A size of 0 is XDND_ERROR_ARGUMENT.
 *
 * Units. Lengths are in device pixels. Positions are local to the window that is named, or, where it says so, to the
 * root window, whose origin is the upper left corner. Times of events are those of the X server, in milliseconds.
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
/* Where content is loaded from: a drop or a clipboard. Lives as long as the drop, or as the context. */
typedef struct xdnd_content xdnd_content;
/* A load under way. Lives until its `ended` has returned. */
typedef struct xdnd_load xdnd_load;
/* A direct save under way. Lives until its `ended` has returned. */
typedef struct xdnd_save xdnd_save;
/* A request for content of yours. Lives until it is answered, or until the context is closed, which refuses it. */
typedef struct xdnd_request xdnd_request;

/* ---- Results ---- */

typedef enum xdnd_result {
  XDND_OK = 0,
  /* The handle is NULL, has ended, or is of another kind. */
  XDND_ERROR_HANDLE = 1,
  /* An argument is NULL, empty, out of range (the name of a type has at most 65535 bytes), or the size of a struct is 0. */
  XDND_ERROR_ARGUMENT = 2,
  /* No connection to an X server could be opened. */
  XDND_ERROR_DISPLAY_UNAVAILABLE = 3,
  /* The connection to the X server is lost. */
  XDND_ERROR_DISPLAY_CLOSED = 4,
  /* The peer refuses to deliver this type, or the clipboard is empty. */
  XDND_ERROR_REFUSED = 5,
  /* The peer has delivered no data, less than it announced, or data that cannot be parsed. */
  XDND_ERROR_FAILED = 6,
  /* The peer has exited, or its window was destroyed. */
  XDND_ERROR_VANISHED = 7,
  /* The peer did not deliver in time, or too slowly. */
  XDND_ERROR_TIMED_OUT = 8,
  /* The content is larger than the limit. */
  XDND_ERROR_TOO_LARGE = 9,
  /* The host has cancelled the load, or has answered the drop before the load ended. */
  XDND_ERROR_CANCELLED = 10,
  /* Content was requested before the drop, or after its end. */
  XDND_ERROR_NOT_DROPPED = 11,
  /* The process has no file descriptors left. */
  XDND_ERROR_RESOURCES = 12,
  /* A file could not be written. xdnd_message() names it, and the system's reason. */
  XDND_ERROR_FILE = 13,
  /* The clipboard could not be acquired: another program has acquired it with a later timestamp. */
  XDND_ERROR_NOT_ACQUIRED = 14,
  /* The call is not allowed in this state: a drop is answered once, after it was dropped. */
  XDND_ERROR_STATE = 15,
  /* An error of a later version. */
  XDND_ERROR_OTHER = 16,
  /* The window does not exist. */
  XDND_ERROR_NO_WINDOW = 17,
  /* The window cannot be a drop target of this program: it is a root window, or another program's, which has a proxy. */
  XDND_ERROR_WINDOW_UNAVAILABLE = 18
} xdnd_result;

/* What a result means, in English, without a full stop. Never NULL. Valid forever. */
const char *xdnd_result_text(xdnd_result result);

/* What has failed in the last call of this thread that has returned an error, or in the load whose `ended` is being
 * called. In English, without a full stop; never NULL. Valid until the next error of this thread. */
const char *xdnd_message(void);

/* ---- The library ---- */

/* The version of the header: major * 10000 + minor * 100 + patch, and in words. */
#define XDND_VERSION 100
#define XDND_VERSION_TEXT "0.1.0"

/* The version of the library that is running, in the same form. */
uint32_t xdnd_version(void);

/* The same in words, such as "0.1.0". Valid forever. */
const char *xdnd_version_text(void);

/* Whether the library that is running has a feature. This version has "clipboard", "drag-images", "input-devices",
 * "promised-files" and "streams". Later ones may have more. */
bool xdnd_has_feature(const char *name);

/* ---- The context ---- */

typedef struct xdnd_context_options {
  size_t size;
  /* How long the peer of a drop may be silent, in milliseconds. By default 30000. */
  uint32_t finish_timeout;
  /* How long the peer may take for one part of a transfer, in milliseconds. By default 10000. */
  uint32_t transfer_timeout;
  /* How long after the drop the host may take that has called xdnd_drop_wait(), in milliseconds. By default 600000, ten
   * minutes. */
  uint32_t wait_timeout;
  /* The largest content in bytes that a load takes into memory or hands to `received`. By default 256 MiB. */
  uint64_t maximum_length;
  /* Drags have no image at the pointer, only a cursor. */
  bool hides_drag_images;
} xdnd_context_options;

/* Opens a connection of the library's own.
 *
 * `display` is a name such as ":0"; NULL for the environment's. `options` may be NULL. Windows that accept drops are
 * created on xdnd_display(). Events of these windows go to `xdnd_on_event()`. XDND_ERROR_DISPLAY_UNAVAILABLE,
 * XDND_ERROR_RESOURCES. Descriptors 0 to 2 must be open, if only on /dev/null: the connection has the lowest free number, and
 * would receive what the program or another library writes to standard output or error. The loop is shorter than that above:
 *
 *     for (;;) {
 *       xdnd_process(context);                          // reads events, and sends requests: yours, too
 *       struct pollfd wait = {xdnd_fd(context), POLLIN, 0};
 *       poll(&wait, 1, xdnd_timeout(context));
 *     }
 */
xdnd_result xdnd_connect(const char *display, const xdnd_context_options *options, xdnd_context **context);

/* Uses your connection, whose events you read, and give to xdnd_filter().
 *
 * The connection stays yours, and must outlive the context: close the context first. After XCloseDisplay() the context is
 * as after a loss of the connection, and can only be closed. XDND_ERROR_RESOURCES. */
xdnd_result xdnd_borrow(
  struct _XDisplay *display, const xdnd_context_options *options, xdnd_context **context);

/* Ends the context: cancels its drag, rejects drops that are not answered, and unregisters its windows. All handles that
 * came from it end, but those of items. No callback follows. Inside a callback it takes effect when the outer call
 * returns. */
xdnd_result xdnd_close(xdnd_context *context);

/* The connection. NULL once it is lost. It belongs to the context, unless it is borrowed. */
struct _XDisplay *xdnd_display(xdnd_context *context);

/* The descriptor to poll for reading, in place of that of the connection. It stays the same, and is -1 once the connection is
 * lost. Do not read from it. */
int xdnd_fd(xdnd_context *context);

/* The milliseconds to sleep at most before xdnd_process(), as for poll(): 0 if it is due, -1 if nothing is. Ask again
 * after each call of the library. */
int xdnd_timeout(xdnd_context *context);

/* Processes what has arrived and what is due, and sends. It does not wait for events. After a loss of the connection, the
 * callbacks are told, and XDND_ERROR_DISPLAY_CLOSED is returned. Within a callback it changes little: the call that is under
 * way goes on. */
xdnd_result xdnd_process(xdnd_context *context);

/* Gives an event to the library that you have read from a borrowed connection, before you process it: an XEvent. Returns
 * whether the library has consumed it. */
bool xdnd_filter(xdnd_context *context, const void *event);

/* Sets what receives the events of the library's own connection that are not the library's. Each is an XEvent, and valid
 * until the callback returns. NULL for nothing. XDND_ERROR_STATE for a borrowed connection. */
xdnd_result xdnd_on_event(
  xdnd_context *context, void (*callback)(const void *event, void *user), void *user);

/* Waits until the server has processed all requests: one round trip. Call it before exit() in a program that does not
 * close its context: the server does not read the last requests of a client that has exited. */
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
  /* Another drag has begun. */
  XDND_EXIT_REPLACED = 2,
  /* The source dropped where the target refuses. */
  XDND_EXIT_REFUSED = 3,
  XDND_EXIT_UNREGISTERED = 4
} xdnd_exit;

typedef enum xdnd_drop_result {
  XDND_DROP_FINISHED = 0,
  XDND_DROP_REJECTED = 1,
  XDND_DROP_SOURCE_VANISHED = 2,
  /* The host has neither answered the drop nor loaded content for `finish_timeout`, or has not answered it within
   * `wait_timeout` after xdnd_drop_wait(). The source has been told of a rejection. */
  XDND_DROP_TIMED_OUT = 3
} xdnd_drop_result;

/* The answer to a position. */
typedef struct xdnd_proposal {
  /* What a drop here would do; XDND_NONE to refuse it. */
  xdnd_operation operation;
  /* A rectangle, local to the window, in which the answer stays the same: sources may be silent in it. Empty if its width
   * or height is 0. */
  int x, y, width, height;
  /* Nonzero if the rectangle is what a drop points at, such as an insertion point or a tab. Larger drag images make way for
   * it, and sources report every position. */
  int is_mark;
} xdnd_proposal;

typedef struct xdnd_target_options {
  size_t size;
  /* The types that are accepted, best first: MIME types, patterns such as "image/" with a star, or names of X targets.
   * "text/plain" takes text under all its names. Required. */
  const char *const *types;
  size_t type_count;
  /* The operations that are supported, best first. By default XDND_COPY. */
  const xdnd_operation *operations;
  size_t operation_count;
  void *user;
  /* The registration has ended. Release `user` here. */
  void (*destroyed)(void *user);
  /* A drag has entered the window, whose types are acceptable. */
  void (*entered)(xdnd_drop *drop, void *user);
  /* The pointer has moved. `proposal` holds the answer that follows from types and operations; change it to give another
   * one. Return quickly: the source waits. */
  void (*moved)(xdnd_drop *drop, int x, int y, xdnd_proposal *proposal, void *user);
  /* The drag has left without a drop. The handle ends. */
  void (*left)(xdnd_drop *drop, xdnd_exit reason, void *user);
  /* It was dropped. Begin loads here, and answer with xdnd_drop_finish() or xdnd_drop_reject(), at the latest in `ended` of
   * the last load; xdnd_drop_wait() gives you more time. Otherwise the library answers when this has returned and no load is
   * under way: the drop is finished if a load has ended well, as a copy if another one has not, and rejected if none has.
   * Required. */
  void (*dropped)(xdnd_drop *drop, void *user);
  /* The drop is over. `operation` is the one that was performed. The handle ends. */
  void (*ended)(xdnd_drop *drop, xdnd_drop_result result, xdnd_operation operation, void *user);
  /* The part of the window that takes drops; all of it if the width or height is 0. `entered` and `left` are about this
   * part. If another program's window takes drops itself, that program receives those on the rest. */
  int area_x, area_y, area_width, area_height;
  /* Not 0: no files are read. By default, a list of local files is accepted in place of a type that one of the files has, as
   * a picture from a file manager; a load of that type reads the file. While the drag hovers, the files' names decide. */
  int no_files;
} xdnd_target_options;

/* Registers a window as a drop target, before it is mapped: some sources look only once. The window is a top-level window
 * of the context's connection. A second call replaces the first: drags that are over the window keep the callbacks that they
 * have begun with, and `destroyed` follows.
 *
 * A window of another connection, of this program or another one, takes drops by a proxy: its XdndAware and XdndProxy are
 * replaced until it is unregistered, and restored then. Give the window that has WM_STATE.
 *
 * The registration ends by itself, with `destroyed`, if the window is destroyed, or if its program takes drops itself from now
 * on. XDND_ERROR_NO_WINDOW, XDND_ERROR_WINDOW_UNAVAILABLE. */
xdnd_result xdnd_register(xdnd_context *context, xdnd_window window, const xdnd_target_options *options);

/* The top-level window that a window is in, or is: the nearest one with WM_STATE, or else the child of the root. 0 if the
 * window does not exist. It takes a round trip for each level.
 *
 * For a window in another program's window, such as a plug of XEmbed: sources look for targets among top-level windows.
 * Register the top-level window, with the place of yours as the area, and register again when yours has moved. */
xdnd_window xdnd_top_level_window(xdnd_context *context, xdnd_window window);

/* Unregisters a window. Drops that are not answered are rejected: `left` or `ended` follows, and then `destroyed`; within a
 * callback, when the outer call returns. Without effect if it is not registered. */
xdnd_result xdnd_unregister(xdnd_context *context, xdnd_window window);

/* How many types the source offers, best first, and their names; NULL beyond the last one. */
size_t xdnd_drop_type_count(xdnd_drop *drop);
const char *xdnd_drop_type(xdnd_drop *drop, size_t index);

/* The type that serves best what the window accepts: offered, or that of a file. NULL if there is none. */
const char *xdnd_drop_best_type(xdnd_drop *drop);

/* The pointer's position in the window, and on the root window. The first one takes a round trip. */
xdnd_result xdnd_drop_position(xdnd_drop *drop, int *x, int *y);
xdnd_result xdnd_drop_root_position(xdnd_drop *drop, int *x, int *y);

/* The operation that the user asks for; after the drop, the one that was agreed on. */
xdnd_operation xdnd_drop_operation(xdnd_drop *drop);

/* The registered window; the source's window, which is seldom one that the user sees. 0 for no handle. */
xdnd_window xdnd_drop_window(xdnd_drop *drop);
xdnd_window xdnd_drop_source(xdnd_drop *drop);

/* Answers a drop with the operation that was performed. It may be less than was agreed on (a copy in place of a move), not
 * more. After a move the source is asked to delete its content. Loads under way are cancelled. The drop may end, with its
 * handle, before the call returns. XDND_ERROR_STATE before the drop, and for a second answer. */
xdnd_result xdnd_drop_finish(xdnd_drop *drop, xdnd_operation operation);

/* Rejects a drop. XDND_ERROR_STATE as above. */
xdnd_result xdnd_drop_reject(xdnd_drop *drop);

/* Keeps the drop open until you answer it: while the user is asked, or while you work on what has been loaded. The source
 * is kept waiting meanwhile. If you do not answer, the drop is rejected `wait_timeout` after it came, or `finish_timeout`
 * after a load has made progress if that is later, and `ended` gets XDND_DROP_TIMED_OUT; if the source goes away first,
 * XDND_DROP_SOURCE_VANISHED. XDND_ERROR_STATE as above. */
xdnd_result xdnd_drop_wait(xdnd_drop *drop);

/* ---- Loading ---- */

/* The content of a drop, to load from. NULL for no handle. */
xdnd_content *xdnd_drop_content(xdnd_drop *drop);

/* Loaded content. */
typedef struct xdnd_data {
  /* The type of the property that the peer has delivered. It may differ from the requested type. */
  const char *type;
  /* The content, with no 0 behind it; NULL if it went to `received` or to a file. */
  const void *bytes;
  /* The number of bytes that have arrived. */
  size_t length;
} xdnd_data;

typedef struct xdnd_load_options {
  size_t size;
  /* The largest number of bytes to accept; 0 for the default. */
  uint64_t limit;
  void *user;
  /* A part has arrived. `expected` is the total length, or -1 if it is unknown; for an INCR transfer it is a lower
   * bound. */
  void (*progress)(xdnd_load *load, uint64_t received, int64_t expected, void *user);
  /* Receives the parts in order, in place of the whole at the end. Returns whether to go on. Not used for files. */
  bool (*received)(xdnd_load *load, const void *bytes, size_t length, void *user);
  /* The load has ended, and so does its handle. Called once for each load that was begun, maybe before the call has
   * returned that began it. `data` is NULL unless the result is XDND_OK; xdnd_message() says more of an error. */
  void (*ended)(xdnd_load *load, xdnd_result result, const xdnd_data *data, void *user);
} xdnd_load_options;

/* Begins to load a type. "text/plain" and patterns stand for the best type that is offered for them. `options` may be
 * NULL, and so may `load`, which receives the handle. */
xdnd_result xdnd_load_type(
  xdnd_content *content, const char *type, const xdnd_load_options *options, xdnd_load **load);

/* Begins to load text from the best type that source and library support, as UTF-8, without a 0 at the end. */
xdnd_result xdnd_load_text(xdnd_content *content, const xdnd_load_options *options, xdnd_load **load);

/* Begins to load the paths of the local files in a list of files, each followed by a 0. URIs of other machines, and those
 * that are no files, are left out: load "text/uri-list" for them. */
xdnd_result xdnd_load_paths(xdnd_content *content, const xdnd_load_options *options, xdnd_load **load);

/* Begins to load a type into a file, which appears when it is complete and on the disk. If it cannot be written, nothing
 * remains of it, and what was there is unchanged. Without `replaces`, a file that is there is XDND_ERROR_FILE. */
xdnd_result xdnd_load_to_file(
  xdnd_content *content, const char *type, const char *path, bool replaces, const xdnd_load_options *options,
  xdnd_load **load);

/* Cancels a load, which ends with XDND_ERROR_CANCELLED. */
xdnd_result xdnd_load_cancel(xdnd_load *load);

/* ---- Direct save ---- */

/* Archivers and image editors do not deliver files: they save where you say (XDS). Accept "XdndDirectSave0", and begin a save in
 * `dropped` if xdnd_drop_offers_save(). */
bool xdnd_drop_offers_save(xdnd_drop *drop);

typedef struct xdnd_save_options {
  size_t size;
  /* The name for a file without a usable one. By default "untitled". */
  const char *fallback_name;
  void *user;
  /* The files have grown. `expected` is their length, or -1 if it is unknown. */
  void (*progress)(xdnd_save *save, uint64_t saved, int64_t expected, void *user);
  /* The save has ended, and so does its handle. Called once, maybe before the call has returned that began it. `paths` are
   * `count` new files or directories: the directory as you named it, with their names; NULL unless the result is XDND_OK. */
  void (*ended)(xdnd_save *save, xdnd_result result, const char *const *paths, size_t count, void *user);
} xdnd_save_options;

/* Asks the source to save into a directory. Files appear there when they are complete and on the disk; nothing else is written,
 * and nothing is overwritten, whatever the source does. If it cannot save there and offers "application/octet-stream", that
 * is loaded. `options` may be NULL, and so may `save`.
 *
 * It counts as a load for the answer to the drop. A source that saves only once the drop is finished gets a copy, and the save
 * goes on. XDND_ERROR_FILE if the directory cannot be written to, XDND_ERROR_STATE if nothing was dropped. */
xdnd_result xdnd_save_into(
  xdnd_drop *drop, const char *directory, const xdnd_save_options *options, xdnd_save **save);

/* Cancels a save, which ends with XDND_ERROR_CANCELLED. No partial file remains. */
xdnd_result xdnd_save_cancel(xdnd_save *save);

/* ---- Scrolling and spring loading ---- */

/* What a view does under a drag that rests, by the place of the pointer and the time: the answers depend on nothing else, and
 * are those of the regions of the Swift library. `moved` tells the place; a timer of yours asks again while the pointer rests. */

/* The margin of a view that the pointer is in, along one axis: -1 at its start, 1 at its end, 0 between and outside. */
int xdnd_scroll_margin(int position, int start, int length);

/* How fast to scroll, in pixels per second, negative towards the start. `resting` is the time in milliseconds since the pointer
 * has entered the margin: for 250 ms nothing scrolls, then it gets faster for two seconds. */
double xdnd_scroll_speed(int position, int start, int length, uint32_t resting);

typedef enum xdnd_spring {
  /* Highlight the folder, tab or button. */
  XDND_SPRING_RESTS = 0,
  /* Show it differently from the highlight: it blinks twice before it opens. */
  XDND_SPRING_BLINKS = 1,
  /* Open it, once. */
  XDND_SPRING_OPENS = 2
} xdnd_spring;

/* What something that opens under a drag does when the pointer has rested on it for `resting` milliseconds. Begin again at 0 when
 * the pointer has moved by more than 6 pixels and nothing blinks yet. It opens after 820 ms; without `blinks`, for users who
 * have animations off, it only rests before. */
xdnd_spring xdnd_spring_at(uint32_t resting, bool blinks);

/* ---- Items ---- */

/* A picture: rows from above, pixels from the left, each 0xAARRGGBB in this machine's byte order, with colours multiplied
 * by their alpha. */
typedef struct xdnd_image {
  size_t size;
  /* From 1 to 32767. */
  int width, height;
  /* width * height pixels. */
  const uint32_t *pixels;
  /* Where the pointer is in the image. */
  int hotspot_x, hotspot_y;
} xdnd_image;

/* Creates content without a representation. */
xdnd_result xdnd_item_new(xdnd_item **item);

/* Frees an item. Drags and clipboards keep what they need. */
xdnd_result xdnd_item_free(xdnd_item *item);

/* Each of these adds a representation of lower fidelity than those before. */

/* Text, under all names and in all encodings that text has. */
xdnd_result xdnd_item_add_text(xdnd_item *item, const char *utf8);
/* Bytes, which are copied. */
xdnd_result xdnd_item_add_bytes(xdnd_item *item, const char *type, const void *bytes, size_t length);
/* The contents of a file, which is opened when a requestor asks for the type. */
xdnd_result xdnd_item_add_contents(xdnd_item *item, const char *type, const char *path);
/* Files on this machine, by absolute paths, as a list ("text/uri-list"). */
xdnd_result xdnd_item_add_files(xdnd_item *item, const char *const *paths, size_t count);

/* Answers a request, with one of the calls below, now or later. */
typedef void (*xdnd_provider)(xdnd_request *request, const char *type, void *user);

/* Content that the provider makes when a requestor asks for it. `destroyed` is called when the item is freed, and no drag
 * or clipboard holds its content. */
xdnd_result xdnd_item_add_provider(
  xdnd_item *item, const char *type, xdnd_provider provider, void *user, void (*destroyed)(void *user));

/* A promised file, which is written when a target wants it, under the suggested name. `length` is -1 if it is unknown. */
xdnd_result xdnd_item_promise_file(
  xdnd_item *item, const char *name, const char *type, int64_t length, xdnd_provider provider, void *user,
  void (*destroyed)(void *user));

/* A promised copy of a file or of a directory, made when a target wants it. `name` may be NULL for the original's. */
xdnd_result xdnd_item_promise_copy(xdnd_item *item, const char *path, const char *name);

/* The operations that are permitted, best first. By default XDND_COPY. */
xdnd_result xdnd_item_set_operations(xdnd_item *item, const xdnd_operation *operations, size_t count);

/* The image at the pointer; the pixels are copied. By default one is drawn. XDND_ERROR_ARGUMENT without pixels, or with
 * other sides. */
xdnd_result xdnd_item_set_image(xdnd_item *item, const xdnd_image *image);

/* Answers a request with bytes, which are copied. */
xdnd_result xdnd_request_fulfill(xdnd_request *request, const void *bytes, size_t length);
/* Answers with the contents of a file, read part by part. If the file is changed before its end is read, the transfer fails. */
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
  /* By the user, by xdnd_drag_cancel(), or because another program has the pointer. */
  XDND_OUTCOME_CANCELLED = 4,
  XDND_OUTCOME_TIMED_OUT = 5,
  XDND_OUTCOME_TARGET_VANISHED = 6,
  XDND_OUTCOME_TRANSFER_FAILED = 7,
  XDND_OUTCOME_SERVER_LOST = 8,
  /* After the drop the target received content whole, and then reported failure. Many targets report that although they have
     used the content. Delete nothing. */
  XDND_OUTCOME_DELIVERED = 9
} xdnd_outcome;

typedef struct xdnd_drag_options {
  size_t size;
  /* The dragged items, in order. Required. */
  xdnd_item *const *items;
  size_t item_count;
  /* The button that is held, as in XButtonEvent; 0 if none is: a click with button 1 drops then. */
  uint32_t button;
  /* The time of the press; 0 for the server's time now, which takes a round trip. */
  uint32_t time;
  void *user;
  /* The drag is released. Release `user` here. */
  void (*destroyed)(void *user);
  /* The pointer and the keyboard are grabbed. Not called for a drag that ends before. */
  void (*began)(xdnd_drag *drag, void *user);
  /* A drop at the pointer would have another result now. XDND_NONE: the target refuses, or there is none. */
  void (*proposed)(xdnd_drag *drag, xdnd_operation operation, void *user);
  /* The content was dropped. The target loads it now. */
  void (*dropped)(xdnd_drag *drag, xdnd_operation operation, void *user);
  /* The target has moved the content, and asks the source to delete its own. */
  void (*deletion_requested)(xdnd_drag *drag, void *user);
  /* The drag is over. Targets may still request its content. */
  void (*ended)(xdnd_drag *drag, xdnd_outcome outcome, xdnd_operation operation, void *user);
  /* The content can no longer be requested. The handle ends. */
  void (*released)(xdnd_drag *drag, void *user);
  /* Another client of the server holds the pointer, so that the drag cannot begin yet. If you read the press on a connection
   * of your own, that is it: release its grab (XUngrabPointer, xcb_ungrab_pointer, or XIUngrabDevice for a press by XInput
   * 2), and flush it. The library tries again for a second. */
  void (*grab_needed)(xdnd_drag *drag, void *user);
  /* The device that was pressed, if the press was an event of XInput 2: its `deviceid`. 0 for a core event. Not used by
   * xdnd_on_drag(), which knows it. */
  int device;
  /* Whether the press was an XI_TouchBegin; `touch` is its `detail` then. */
  bool is_touch;
  uint32_t touch;
  /* The target has received more of the content. `expected` is the length of all that it has asked for so far, or -1 if it is
   * unknown. */
  void (*progress)(xdnd_drag *drag, uint64_t sent, int64_t expected, void *user);
} xdnd_drag_options;

/* Asked what to drag when a press at (x, y) of the window has become a drag. It sets the members of `options` but those
 * that describe the press, and returns true; or returns false if there is nothing to drag. The library reads `items` when it has
 * returned, before the next callback. */
typedef bool (*xdnd_drag_source)(xdnd_window window, int x, int y, xdnd_drag_options *options, void *user);

/* Observes the presses in a window, and begins a drag when one moves: a click stays a click. Select your own events before.
 * A second call for the window replaces the first; NULL for `source` ends it, and is no error without a first. */
xdnd_result xdnd_on_drag(xdnd_context *context, xdnd_window window, xdnd_drag_source source, void *user);

/* Begins a drag by the pointer, after a press that has moved, for programs that observe their presses themselves. Returns
 * at once. `drag` may be NULL.
 *
 * The server has given the pointer to the connection that has received the press, until the button goes up. If that is another
 * one than the context's, release it there first: XUngrabPointer() and XSync(). Otherwise the drag ends as cancelled. A toolkit
 * does not see the button go up then. SDL 2 would lose the next press: send its window a ButtonRelease before (XSendEvent). */
xdnd_result xdnd_begin_drag(xdnd_context *context, const xdnd_drag_options *options, xdnd_drag **drag);

/* Drops on a window without the pointer: for scripts and tests. (x, y) is local to the window. `button` and `time` of the
 * options are not used. */
xdnd_result xdnd_drop_on(
  xdnd_context *context, xdnd_window window, int x, int y, const xdnd_drag_options *options, xdnd_drag **drag);

/* Ends a drag without a drop. After the drop it only ends the wait for the target's answer. */
xdnd_result xdnd_drag_cancel(xdnd_drag *drag);

/* Ends the delivery of dropped content, because the user does not want to wait for it. What is not complete is refused. */
xdnd_result xdnd_drag_cancel_delivery(xdnd_drag *drag);

/* Whether the image of a drag that has ended is still on the screen. A program that ends with its drag runs its event loop
 * until this is false. */
bool xdnd_is_animating(xdnd_context *context);

/* ---- Clipboards ---- */

typedef enum xdnd_clipboard_kind {
  /* Copy and paste. */
  XDND_CLIPBOARD = 0,
  /* The selected content, which the middle button inserts. */
  XDND_PRIMARY = 1
} xdnd_clipboard_kind;

/* A clipboard, to load from. Lives as long as the context. NULL for no handle or no such kind. */
xdnd_content *xdnd_clipboard(xdnd_context *context, xdnd_clipboard_kind kind);

/* Puts content on a clipboard. `time` is that of the event by which the user has asked for it; 0 for the server's time
 * now. XDND_ERROR_NOT_ACQUIRED. */
xdnd_result xdnd_clipboard_write(
  xdnd_context *context, xdnd_clipboard_kind kind, xdnd_item *item, uint32_t time);

/* Takes your content off a clipboard. That of other programs stays. */
xdnd_result xdnd_clipboard_clear(xdnd_context *context, xdnd_clipboard_kind kind);

/* Asks for the types on a clipboard, best first. `ended` is called once; `types` is NULL unless the result is XDND_OK. */
xdnd_result xdnd_clipboard_load_types(
  xdnd_context *context, xdnd_clipboard_kind kind,
  void (*ended)(xdnd_result result, const char *const *types, size_t count, void *user), void *user);

#ifdef __cplusplus
}
#endif

#endif
