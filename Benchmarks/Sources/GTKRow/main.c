/* A minimal GTK 3 program with one row, in C: the baseline of the startup benchmark.

   It uses dlopen, so that building it needs no GTK headers; looking up nine symbols takes microseconds. */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

typedef void *Widget;

static void *function(void *library, const char *name) {
  void *symbol = dlsym(library, name);
  if (symbol == NULL) {
    fprintf(stderr, "gtk-row: there is no %s\n", name);
    exit(69);
  }
  return symbol;
}

int main(void) {
  void *gtk = dlopen("libgtk-3.so.0", RTLD_LAZY | RTLD_GLOBAL);
  if (gtk == NULL) {
    fprintf(stderr, "gtk-row: %s\n", dlerror());
    return 69;
  }
  int (*init)(int *, char ***) = function(gtk, "gtk_init_check");
  Widget (*new_window)(int) = function(gtk, "gtk_window_new");
  void (*set_size)(Widget, int, int) = function(gtk, "gtk_window_set_default_size");
  Widget (*new_list)(void) = function(gtk, "gtk_list_box_new");
  Widget (*new_label)(const char *) = function(gtk, "gtk_label_new");
  void (*insert)(Widget, Widget, int) = function(gtk, "gtk_list_box_insert");
  void (*add)(Widget, Widget) = function(gtk, "gtk_container_add");
  void (*show)(Widget) = function(gtk, "gtk_widget_show_all");
  void (*run)(void) = function(gtk, "gtk_main");

  if (!init(NULL, NULL)) return 69;
  Widget window = new_window(0), list = new_list();
  set_size(window, 320, 152);
  insert(list, new_label("report.pdf"), -1);
  add(window, list);
  show(window);
  run();
  return 0;
}
