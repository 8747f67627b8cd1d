#include "request.h"

#include <stdlib.h>

// A display has a list of handlers (`_XAsyncHandler`). Xlib calls them with each reply that no caller waits for, and
// with each error, until one of them returns `True`. The calls are made with the display locked, on the thread that
// reads. The server answers in the order of the requests. So one handler with a queue serves any number of requests:
// when a response arrives, the unanswered requests before its own will get none.

struct XDnDReply {
  // The next reply in the queue.
  XDnDReply *next;
  unsigned long serial;
  // Set before the state changes; `NULL` and 0 for an error.
  void *bytes;
  size_t size;
  enum { XDnDAwaited, XDnDArrived, XDnDUnwanted } state;
};

struct XDnDResponses {
  Display *display;
  _XAsyncHandler handler;
  // The queue.
  XDnDReply *first, *last;
  XDnDErrorConsumer consume;
  void *context;
};

// Removes the front of the queue: its response has arrived, or will never arrive.
static void XDnDResponsesAdvance(XDnDResponses *responses) {
  XDnDReply *reply = responses->first;
  responses->first = reply->next;
  if (reply->state == XDnDUnwanted) {
    free(reply);
  } else {
    reply->state = XDnDArrived;
  }
}

static Bool XDnDResponsesReceive(Display *dpy, xReply *response, char *bytes, int length, XPointer data) {
  XDnDResponses *responses = (XDnDResponses *)data;
  unsigned long serial = dpy->last_request_read;
  bool isError = response->generic.type == X_Error;
  while (responses->first != NULL && responses->first->serial < serial) XDnDResponsesAdvance(responses);
  XDnDReply *reply = responses->first;
  if (reply == NULL || reply->serial != serial) {
    if (!isError) return False;
    const xError *error = &response->error;
    return responses->consume(responses->context, serial, error->errorCode, error->resourceID, error->majorCode);
  }
  if (!isError && reply->state == XDnDAwaited) {
    size_t size = sizeof(xReply) + (size_t)response->generic.length * 4;
    // Over XCB, Xlib always has the whole reply.
    reply->bytes = length > 0 && (size_t)length >= size ? malloc(size) : NULL;
    if (reply->bytes != NULL) {
      memcpy(reply->bytes, bytes, size);
      reply->size = size;
    }
  }
  XDnDResponsesAdvance(responses);
  return True;
}

XDnDResponses *XDnDResponsesCreate(Display *dpy, XDnDErrorConsumer consume, void *context) {
  XDnDResponses *responses = calloc(1, sizeof(XDnDResponses));
  if (responses == NULL) abort();
  responses->display = dpy;
  responses->handler.handler = XDnDResponsesReceive;
  responses->handler.data = (XPointer)responses;
  responses->consume = consume;
  responses->context = context;
  LockDisplay(dpy);
  responses->handler.next = dpy->async_handlers;
  dpy->async_handlers = &responses->handler;
  UnlockDisplay(dpy);
  return responses;
}

void XDnDResponsesFree(XDnDResponses *responses, Display *dpy) {
  if (dpy != NULL) {
    LockDisplay(dpy);
    DeqAsyncHandler(dpy, &responses->handler);
    UnlockDisplay(dpy);
  }
  while (responses->first != NULL) XDnDResponsesAdvance(responses);
  free(responses);
}

XDnDReply *XDnDAsk(XDnDResponses *responses, const void *request, size_t size, const void *data, size_t length) {
  Display *dpy = responses->display;
  XDnDReply *reply = calloc(1, sizeof(XDnDReply));
  if (reply == NULL) abort();
  LockDisplay(dpy);
  reply->serial = XDnDWrite(dpy, request, size, data, length);
  bool isWritten = reply->serial != 0;
  // Before the lock is released: another thread may read the reply at once.
  if (isWritten) {
    if (responses->first == NULL) {
      responses->first = reply;
    } else {
      responses->last->next = reply;
    }
    responses->last = reply;
  }
  UnlockDisplay(dpy);
  if (isWritten) return reply;
  free(reply);
  return NULL;
}

void XDnDSend(Display *dpy, const void *request, size_t size, const void *data, size_t length) {
  LockDisplay(dpy);
  (void)XDnDWrite(dpy, request, size, data, length);
  UnlockDisplay(dpy);
  SyncHandle();
}

void XDnDResponsesAwait(XDnDResponses *responses) {
  Display *dpy = responses->display;
  xReply reply;
  LockDisplay(dpy);
  // Any request with a reply will do: the server answers in order.
  if (responses->first != NULL && XDnDWrite(dpy, &(xReq){.reqType = X_GetInputFocus}, sizeof(xReq), NULL, 0) != 0) {
    (void)_XReply(dpy, &reply, 0, xTrue);
  }
  UnlockDisplay(dpy);
}

bool XDnDReplyHasArrived(XDnDResponses *responses, const XDnDReply *reply) {
  Display *dpy = responses->display;
  LockDisplay(dpy);
  bool hasArrived = reply->state == XDnDArrived;
  UnlockDisplay(dpy);
  return hasArrived;
}

unsigned long XDnDReplySerial(const XDnDReply *reply) { return reply->serial; }

const void *XDnDReplyBytes(const XDnDReply *reply, size_t *size) {
  *size = reply->size;
  return reply->bytes;
}

void *XDnDReplyTakeBytes(XDnDReply *reply) {
  void *bytes = reply->bytes;
  reply->bytes = NULL;
  reply->size = 0;
  return bytes;
}

void XDnDReplyFree(XDnDResponses *responses, XDnDReply *reply) {
  Display *dpy = responses->display;
  LockDisplay(dpy);
  bool isAwaited = reply->state == XDnDAwaited;
  if (isAwaited) reply->state = XDnDUnwanted;
  UnlockDisplay(dpy);
  if (isAwaited) return;
  free(reply->bytes);
  free(reply);
}
