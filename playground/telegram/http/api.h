#ifndef PLAYGROUND_TELEGRAM_HTTP_API_H
#define PLAYGROUND_TELEGRAM_HTTP_API_H
/* /telegram/bot<TOKEN>/<Method> and /telegram/file/bot<TOKEN>/<path>. */
#include <stdbool.h>

struct server_request;
struct task;

/* /bot… and /file/bot… are served as well. */
bool api_is_at_root(const char *path);
/* world is the struct world. */
void api_serve(struct task *t, void *world, struct server_request *req);

#endif
