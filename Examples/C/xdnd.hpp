// xdnd.hpp: xdnd.h for C++17, with handles that close themselves, functions for callbacks, and errors that are thrown. Copy it
// into your program, and add what else you need of xdnd.h in the same way. An exception of a callback does not pass through the
// library: process() and filter() throw it when the library has returned.
#pragma once
#include <xdnd.h>
#include <exception>
#include <functional>
#include <list>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
namespace xdnd {
struct Error : std::runtime_error {
  xdnd_result result;
  explicit Error(xdnd_result result) : std::runtime_error(xdnd_message()), result(result) {}
};

inline void check(xdnd_result result) {
  if (result != XDND_OK) throw Error(result);
}

class Item {
 public:
  Item() { check(xdnd_item_new(&handle)); }
  explicit Item(const std::string &text) : Item() { check(xdnd_item_add_text(handle, text.c_str())); }
  Item(Item &&other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
  ~Item() { xdnd_item_free(handle); }
  void add(const std::string &type, const std::string &bytes) {
    check(xdnd_item_add_bytes(handle, type.c_str(), bytes.data(), bytes.size()));
  }
  xdnd_item *handle = nullptr;
};

class Context {
 public:
  using Drop = std::function<void(const std::string &text)>;
  using Drag = std::function<Item(int x, int y)>;
  using Ended = std::function<void(bool isTaken)>;

  explicit Context(const char *display = nullptr) { check(xdnd_connect(display, nullptr, &handle)); }
  explicit Context(struct _XDisplay *display) { check(xdnd_borrow(display, nullptr, &handle)); }
  Context(const Context &) = delete;
  ~Context() { xdnd_close(handle); }

  void process() { finish(xdnd_process(handle)); }
  bool filter(const void *event) {
    bool isTaken = xdnd_filter(handle, event);
    return finish(XDND_OK), isTaken;
  }

  /// Calls `drop` with the text of each drop on the window.
  void onDrop(xdnd_window window, Drop drop) {
    const char *types[] = {"text/plain"};
    xdnd_target_options options{};
    options.size = sizeof options, options.types = types, options.type_count = 1;
    options.user = &targets.emplace_back(Target{this, std::move(drop)});
    options.dropped = [](xdnd_drop *drop, void *target) {
      xdnd_load_options load{};
      load.size = sizeof load, load.user = target;
      load.ended = [](xdnd_load *, xdnd_result result, const xdnd_data *data, void *user) {
        auto target = static_cast<Target *>(user);
        if (result != XDND_OK) return;
        target->context->guard([&] { target->drop({static_cast<const char *>(data->bytes), data->length}); });
      };
      xdnd_load_text(xdnd_drop_content(drop), &load, nullptr);
    };
    check(xdnd_register(handle, window, &options));
  }

  /// Calls `drag` for what to drag, when a press in the window has become a drag, and `ended` at its end.
  void onDrag(xdnd_window window, Drag drag, Ended ended = [](bool) {}) {
    auto pressed = [](xdnd_window, int x, int y, xdnd_drag_options *options, void *user) {
      auto source = static_cast<Source *>(user);
      source->item.reset();
      source->context->guard([&] { source->item.emplace(source->drag(x, y)); });
      if (source->item) options->items = &source->item->handle, options->item_count = 1, options->user = source;
      options->ended = [](xdnd_drag *, xdnd_outcome outcome, xdnd_operation, void *user) {
        auto source = static_cast<Source *>(user);
        source->context->guard([&] { source->ended(outcome == XDND_OUTCOME_DROPPED); });
      };
      return source->item.has_value();
    };
    check(xdnd_on_drag(handle, window, pressed, &sources.emplace_back(Source{this, drag, ended, {}})));
  }

  xdnd_context *handle = nullptr;

 private:
  struct Target { Context *context; Drop drop; };
  struct Source { Context *context; Drag drag; Ended ended; std::optional<Item> item; };
  template <typename Body> void guard(Body body) { try { body(); } catch (...) { thrown = std::current_exception(); } }
  void finish(xdnd_result result) {
    thrown ? std::rethrow_exception(std::exchange(thrown, nullptr)) : check(result);
  }
  std::exception_ptr thrown;
  std::list<Target> targets;
  std::list<Source> sources;
};
}  // namespace xdnd
