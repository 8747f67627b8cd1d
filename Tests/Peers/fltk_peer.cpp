// A drop target with FLTK; see peer.py for what it prints. FLTK takes text, and files as a text of their paths.
//
//   fltk_peer target --geometry WxH+X+Y [--declines]
//
// With --declines its widget says yes to a drag that moves and no to the drop, as one does that has changed its mind:
// FLTK then finishes the drop without having asked for anything.

#include <FL/Fl.H>
#include <FL/Fl_Box.H>
#include <FL/Fl_Window.H>
#include <FL/x.H>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>
#include <unistd.h>

static std::string quoted(const char *text, int length) {
  std::string result = "\"";
  for (int i = 0; i < length; ++i) {
    unsigned char c = text[i];
    char escape[8];
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (c < 0x20) {
      std::snprintf(escape, sizeof escape, "\\u%04x", c);
      result += escape;
    } else {
      result += c;
    }
  }
  return result + "\"";
}

static void emit(const std::string &event, const std::string &fields = "") {
  std::printf("{\"event\": \"%s\"%s}\n", event.c_str(), fields.c_str());
  std::fflush(stdout);
}

class Area : public Fl_Box {
  bool declines;

public:
  Area(int width, int height, bool declines) : Fl_Box(0, 0, width, height, "FLTK target"), declines(declines) {}

  int handle(int event) override {
    switch (event) {
    case FL_DND_ENTER:
    case FL_DND_DRAG:
      return 1;
    case FL_DND_LEAVE:
      emit("leave");
      return 1;
    case FL_DND_RELEASE:
      if (declines) emit("declined");
      return declines ? 0 : 1;
    case FL_PASTE:
      emit("drop", ", \"action\": \"copy\", \"text\": " + quoted(Fl::event_text(), Fl::event_length()));
      return 1;
    default:
      return Fl_Box::handle(event);
    }
  }
};

/// Says where the window is once that has stayed the same for three rounds.
static void announce(void *pointer) {
  static int rounds = 0, last[2] = {-1, -1};
  Fl_Window *window = static_cast<Fl_Window *>(pointer);
  int x = 0, y = 0;
  Window child;
  XTranslateCoordinates(fl_display, fl_xid(window), DefaultRootWindow(fl_display), 0, 0, &x, &y, &child);
  rounds = x == last[0] && y == last[1] && window->visible() ? rounds + 1 : 0;
  last[0] = x;
  last[1] = y;
  if (rounds < 3) {
    Fl::repeat_timeout(0.02, announce, pointer);
    return;
  }
  emit("ready", ", \"window\": " + std::to_string(fl_xid(window)) + ", \"width\": " + std::to_string(window->w())
    + ", \"height\": " + std::to_string(window->h()) + ", \"x\": " + std::to_string(x) + ", \"y\": " + std::to_string(y));
}

int main(int count, char **arguments) {
  int width = 0, height = 0, x = 0, y = 0;
  bool declines = false;
  for (int i = 1; i < count; ++i) {
    if (!std::strcmp(arguments[i], "--geometry") && i + 1 < count) {
      std::sscanf(arguments[++i], "%dx%d%d%d", &width, &height, &x, &y);
    } else if (!std::strcmp(arguments[i], "--declines")) {
      declines = true;
    }
  }
  if (width <= 0 || height <= 0) {
    std::fputs("fltk_peer target --geometry WxH+X+Y [--declines]\n", stderr);
    return 64;
  }
  std::signal(SIGTERM, [](int) { _exit(0); });
  Fl_Window window(x, y, width, height, "fltk target");
  Area area(width, height, declines);
  window.end();
  window.show();
  window.wait_for_expose();
  Fl::add_timeout(0.02, announce, &window);
  return Fl::run();
}
