/* An SDL 2 program. SDL reads its connection itself and answers drags on its windows, so the library has a connection of its
 * own, and a proxy receives the drops on SDL's window.
 *
 *     cc -Wall -Wextra -std=c11 sdl2.c -o sdl2 $(pkg-config --cflags --libs xdnd sdl2)
 */
#include <SDL.h>
#include <SDL_syswm.h>

#include "greeting.h"

/* The server gives the pointer to the connection that has received the press, until the button goes up. SDL gives it back, and
 * does not see the button go up: it is told so. */
static void release_pointer(Display *display, Window window) {
  XEvent event = {.xbutton = {.type = ButtonRelease, .display = display, .window = window, .button = Button1}};
  XSendEvent(display, window, False, ButtonReleaseMask, &event);
  XUngrabPointer(display, CurrentTime);
  XSync(display, False);
}

int main(void) {
  SDL_SetHint(SDL_HINT_MOUSE_FOCUS_CLICKTHROUGH, "1"); /* A press that activates the window may be a drag. */
  if (SDL_Init(SDL_INIT_VIDEO) != 0) return fprintf(stderr, "%s\n", SDL_GetError()), 1;
  SDL_Window *window = SDL_CreateWindow("Greeting", 40, 40, 200, 200, SDL_WINDOW_HIDDEN);
  SDL_SysWMinfo info;
  SDL_VERSION(&info.version);
  if (!window || !SDL_GetWindowWMInfo(window, &info) || info.subsystem != SDL_SYSWM_X11) return 1;
  Display *display = info.info.x11.display;

  xdnd_context *context;
  check(xdnd_connect(DisplayString(display), NULL, &context));
  SDL_ShowWindow(window);
  XSync(display, False); /* SDL has made the window aware of its own drops. */
  print_drops(context, (xdnd_window)info.info.x11.window);

  SDL_Point press = {0, 0};
  for (bool is_open = true, is_held = false; is_open;) {
    SDL_Event event;
    /* One turn a frame: SDL does not wait for descriptors of others. */
    if (SDL_WaitEventTimeout(&event, 1000 / 60)) do {
        if (event.type == SDL_QUIT) is_open = false;
        if (event.type == SDL_MOUSEBUTTONUP) is_held = false;
        if (event.type == SDL_MOUSEBUTTONDOWN && event.button.button == SDL_BUTTON_LEFT) {
          press = (SDL_Point){event.button.x, event.button.y};
          is_held = true;
        }
        if (event.type == SDL_MOUSEMOTION && is_held && is_drag(event.motion.x - press.x, event.motion.y - press.y)) {
          is_held = false;
          release_pointer(display, info.info.x11.window);
          drag_greeting(context, "Hello from SDL", 0);
        }
      } while (SDL_PollEvent(&event));
    check(xdnd_process(context));
  }
  check(xdnd_close(context));
  SDL_Quit();
}
