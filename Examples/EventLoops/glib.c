/* A GTK 3 program with two windows. Drops on the window "Greeting", and drags from it, are the library's. The window "GTK"
 * keeps GTK's drag and drop: its label can be dragged, and its entry takes text.
 *
 * The library has a connection of its own, and a proxy receives the drops on the GtkWindow. On GTK's connection GDK would take
 * the messages first, for each window that it knows.
 *
 *     cc -Wall -Wextra -std=c11 glib.c -o glib $(pkg-config --cflags --libs xdnd gtk+-3.0)
 */
#include <gdk/gdkx.h>
#include <gtk/gtk.h>

#include "greeting.h"

/* ---- The library in a GLib main loop */

typedef struct {
  GSource source;
  xdnd_context *context;
  gpointer descriptor;
} Loop;

static gboolean loop_prepare(GSource *source, int *timeout) {
  *timeout = xdnd_timeout(((Loop *)source)->context);
  return *timeout == 0;
}

static gboolean loop_check(GSource *source) {
  Loop *loop = (Loop *)source;
  return g_source_query_unix_fd(source, loop->descriptor) != 0 || xdnd_timeout(loop->context) == 0;
}

static gboolean loop_dispatch(GSource *source, GSourceFunc function, gpointer user) {
  (void)function, (void)user;
  check(xdnd_process(((Loop *)source)->context));
  return G_SOURCE_CONTINUE;
}

static xdnd_context *attach_library(const char *display) {
  static GSourceFuncs functions = {loop_prepare, loop_check, loop_dispatch, NULL, NULL, NULL};
  Loop *loop = (Loop *)g_source_new(&functions, sizeof(Loop));
  check(xdnd_connect(display, NULL, &loop->context));
  loop->descriptor = g_source_add_unix_fd(&loop->source, xdnd_fd(loop->context), G_IO_IN);
  g_source_attach(&loop->source, NULL);
  return loop->context;
}

/* ---- The windows */

/* The server gives the pointer to the connection that has received the press, until the button goes up. GTK gives it back, and
 * does not see the button go up: its gesture begins anew. */
static void drag_moved(GtkGestureDrag *gesture, double dx, double dy, gpointer context) {
  if (!is_drag(dx, dy)) return;
  const GdkEvent *event = gtk_gesture_get_last_event(GTK_GESTURE(gesture), NULL);
  guint32 time = gdk_event_get_time(event);
  gdk_seat_ungrab(gdk_event_get_seat(event));
  gtk_event_controller_reset(GTK_EVENT_CONTROLLER(gesture));
  gdk_display_sync(gdk_display_get_default());
  drag_greeting(context, "Hello from GLib", time);
}

static GtkWidget *open_window(const char *title, int x, int y) {
  GtkWidget *window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
  gtk_window_set_title(GTK_WINDOW(window), title);
  gtk_window_set_default_size(GTK_WINDOW(window), 200, 200);
  gtk_window_move(GTK_WINDOW(window), x, y);
  g_signal_connect(window, "destroy", gtk_main_quit, NULL);
  return window;
}

static void give_text(GtkWidget *label, GdkDragContext *drag, GtkSelectionData *data, guint info, guint time) {
  (void)label, (void)drag, (void)info, (void)time;
  gtk_selection_data_set_text(data, "Hello from the label", -1);
}

static void print_text(GtkEditable *entry) {
  printf("entry: %s\n", gtk_entry_get_text(GTK_ENTRY(entry)));
  fflush(stdout);
}

int main(int count, char **arguments) {
  gdk_set_allowed_backends("x11");
  gtk_init(&count, &arguments);
  xdnd_context *context = attach_library(gdk_display_get_name(gdk_display_get_default()));

  GtkWidget *greeting = open_window("Greeting", 40, 40);
  GtkGesture *gesture = gtk_gesture_drag_new(greeting);
  g_signal_connect(gesture, "drag-update", G_CALLBACK(drag_moved), context);

  GtkWidget *other = open_window("GTK", 40, 280), *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *label = gtk_event_box_new(), *entry = gtk_entry_new();
  gtk_container_add(GTK_CONTAINER(label), gtk_label_new("Drag me"));
  gtk_drag_source_set(label, GDK_BUTTON1_MASK, NULL, 0, GDK_ACTION_COPY);
  gtk_drag_source_add_text_targets(label);
  g_signal_connect(label, "drag-data-get", G_CALLBACK(give_text), NULL);
  g_signal_connect(entry, "changed", G_CALLBACK(print_text), NULL);
  gtk_box_pack_start(GTK_BOX(box), label, TRUE, TRUE, 0);
  gtk_box_pack_start(GTK_BOX(box), entry, FALSE, FALSE, 0);
  gtk_container_add(GTK_CONTAINER(other), box);

  gtk_widget_show_all(greeting);
  gtk_widget_show_all(other);
  gdk_display_sync(gdk_display_get_default()); /* GDK has made the window aware of its own drops. */
  print_drops(context, (xdnd_window)gdk_x11_window_get_xid(gtk_widget_get_window(greeting)));
  gtk_main();
  check(xdnd_close(context));
}
