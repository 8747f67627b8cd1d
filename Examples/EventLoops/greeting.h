/* What the C programs of this directory share: a greeting that can be dragged out of a window, and dropped text, which is
 * printed. How that runs in an event loop is what the programs themselves show. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <xdnd.h>

static inline void check(xdnd_result result) {
  if (result == XDND_OK) return;
  fprintf(stderr, "%s\n", xdnd_message());
  exit(1);
}

/* The target: prints text. The library answers the drop when the load has ended. */

static void loaded(xdnd_load *load, xdnd_result result, const xdnd_data *data, void *user) {
  (void)load, (void)user;
  if (result == XDND_OK)
    printf("dropped: %.*s\n", (int)data->length, (const char *)data->bytes);
  else
    printf("not dropped: %s\n", xdnd_message());
  fflush(stdout);
}

static void dropped(xdnd_drop *drop, void *user) {
  (void)user;
  xdnd_load_options options = {.size = sizeof options, .ended = loaded};
  check(xdnd_load_text(xdnd_drop_content(drop), &options, NULL));
}

/* Makes a window a drop target. A toolkit's window takes drops of its own as soon as it is shown, and one that begins to do so
 * later is left to the toolkit: so call this when it is shown, and when the server has processed that. */
static inline void print_drops(xdnd_context *context, xdnd_window window) {
  const char *types[] = {"text/plain"};
  xdnd_target_options target = {.size = sizeof target, .types = types, .type_count = 1, .dropped = dropped};
  check(xdnd_register(context, window, &target));
}

/* The source. */

static void ended(xdnd_drag *drag, xdnd_outcome outcome, xdnd_operation operation, void *user) {
  (void)drag, (void)operation, (void)user;
  printf("dragged: %s\n", outcome == XDND_OUTCOME_DROPPED ? "taken" : "not taken");
  fflush(stdout);
}

/* Begins a drag, for a program that observes the presses in its window itself. `time` is that of the press; 0 if the toolkit
 * does not say it. */
static inline void drag_greeting(xdnd_context *context, const char *greeting, uint32_t time) {
  xdnd_item *item;
  check(xdnd_item_new(&item));
  check(xdnd_item_add_text(item, greeting));
  xdnd_drag_options options = {
    .size = sizeof options, .items = &item, .item_count = 1, .button = 1, .time = time, .ended = ended};
  check(xdnd_begin_drag(context, &options, NULL));
  check(xdnd_item_free(item)); /* The drag keeps what it needs. */
}

/* Whether a press has moved so far that it is a drag, and no click. */
static inline bool is_drag(double dx, double dy) { return dx * dx + dy * dy > 3 * 3; }
