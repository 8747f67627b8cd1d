/* A program that uses XCB, and not Xlib. The library has a connection of its own, and a proxy receives the drops on the
 * program's window.
 *
 *     cc -Wall -Wextra -std=c11 xcb.c -o xcb $(pkg-config --cflags --libs xdnd xcb)
 */
#include <poll.h>
#include <string.h>
#include <xcb/xcb.h>

#include "greeting.h"

static xcb_window_t open_window(xcb_connection_t *connection) {
  xcb_screen_t *screen = xcb_setup_roots_iterator(xcb_get_setup(connection)).data;
  xcb_window_t window = xcb_generate_id(connection);
  uint32_t values[] = {screen->white_pixel,
                       XCB_EVENT_MASK_STRUCTURE_NOTIFY | XCB_EVENT_MASK_BUTTON_PRESS | XCB_EVENT_MASK_BUTTON_MOTION};
  xcb_create_window(
    connection, XCB_COPY_FROM_PARENT, window, screen->root, 40, 40, 200, 200, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT,
    screen->root_visual, XCB_CW_BACK_PIXEL | XCB_CW_EVENT_MASK, values);
  const char *title = "Greeting";
  xcb_change_property(
    connection, XCB_PROP_MODE_REPLACE, window, XCB_ATOM_WM_NAME, XCB_ATOM_STRING, 8, (uint32_t)strlen(title), title);
  return window;
}

/* Waits until the server has processed all requests. */
static void synchronize(xcb_connection_t *connection) {
  free(xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), NULL));
}

int main(void) {
  xcb_connection_t *connection = xcb_connect(NULL, NULL);
  if (xcb_connection_has_error(connection)) return fprintf(stderr, "xcb: no display\n"), 1;
  xcb_window_t window = open_window(connection);
  synchronize(connection); /* The library's connection knows the window from here on. */

  xdnd_context *context;
  check(xdnd_connect(NULL, NULL, &context));
  print_drops(context, window);
  xcb_map_window(connection, window);

  xcb_button_press_event_t press = {.time = 0}; /* That of the last press, which may become a drag. */
  for (bool is_open = true; is_open;) {
    for (xcb_generic_event_t *event; (event = xcb_poll_for_event(connection)); free(event)) {
      xcb_motion_notify_event_t *motion = (xcb_motion_notify_event_t *)event;
      uint8_t type = event->response_type & 0x7F;
      if (type == XCB_DESTROY_NOTIFY) is_open = false;
      if (type == XCB_BUTTON_PRESS) press = *(xcb_button_press_event_t *)event;
      if (type != XCB_MOTION_NOTIFY || press.detail != 1) continue;
      if (!is_drag(motion->event_x - press.event_x, motion->event_y - press.event_y)) continue;
      press.detail = 0;
      /* The server gives the pointer to the connection that has received the press, until the button goes up. */
      xcb_ungrab_pointer(connection, XCB_CURRENT_TIME);
      synchronize(connection);
      drag_greeting(context, "Hello from XCB", press.time);
    }
    if (xcb_connection_has_error(connection)) is_open = false;
    check(xdnd_process(context));
    xcb_flush(connection);
    struct pollfd waits[] = {{.fd = xcb_get_file_descriptor(connection), .events = POLLIN},
                             {.fd = xdnd_fd(context), .events = POLLIN}};
    if (is_open) poll(waits, 2, xdnd_timeout(context));
  }
  check(xdnd_close(context));
  xcb_disconnect(connection);
}
