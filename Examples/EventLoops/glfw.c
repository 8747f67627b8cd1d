/* A GLFW program. GLFW reads its connection itself and answers drags on its windows, so the library has a connection of its
 * own, and a proxy receives the drops on GLFW's window. glfwSetDropCallback() receives none there.
 *
 *     cc -Wall -Wextra -std=c11 glfw.c -o glfw $(pkg-config --cflags --libs xdnd glfw3)
 */
#define GLFW_EXPOSE_NATIVE_X11
#include <GLFW/glfw3.h>
#include <GLFW/glfw3native.h>

#include "greeting.h"

typedef struct {
  xdnd_context *context;
  double x, y;
  bool is_held;
} Greeting;

static void button_changed(GLFWwindow *window, int button, int action, int modifiers) {
  (void)modifiers;
  Greeting *greeting = glfwGetWindowUserPointer(window);
  greeting->is_held = button == GLFW_MOUSE_BUTTON_LEFT && action == GLFW_PRESS;
}

static void pointer_moved(GLFWwindow *window, double x, double y) {
  Greeting *greeting = glfwGetWindowUserPointer(window);
  if (!greeting->is_held) { /* Where the next press is. glfwGetCursorPos() says where the pointer is by now. */
    greeting->x = x, greeting->y = y;
    return;
  }
  if (!is_drag(x - greeting->x, y - greeting->y)) return;
  greeting->is_held = false; /* GLFW does not see the button go up. */
  /* The server gives the pointer to the connection that has received the press, until the button goes up. */
  XUngrabPointer(glfwGetX11Display(), CurrentTime);
  XSync(glfwGetX11Display(), False);
  drag_greeting(greeting->context, "Hello from GLFW", 0);
}

int main(void) {
  if (!glfwInit()) return 1;
  glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  GLFWwindow *window = glfwCreateWindow(200, 200, "Greeting", NULL, NULL);
  if (!window) return 1;
  glfwSetWindowPos(window, 40, 40);

  Greeting greeting = {.context = NULL};
  check(xdnd_connect(DisplayString(glfwGetX11Display()), NULL, &greeting.context));
  glfwSetWindowUserPointer(window, &greeting);
  glfwSetMouseButtonCallback(window, button_changed);
  glfwSetCursorPosCallback(window, pointer_moved);
  glfwShowWindow(window);
  XSync(glfwGetX11Display(), False); /* GLFW has made the window aware of its own drops. */
  print_drops(greeting.context, (xdnd_window)glfwGetX11Window(window));

  while (!glfwWindowShouldClose(window)) {
    glfwWaitEventsTimeout(1.0 / 60); /* One turn a frame: GLFW does not wait for descriptors of others. */
    check(xdnd_process(greeting.context));
  }
  check(xdnd_close(greeting.context));
  glfwTerminate();
}
