#ifndef PLAYGROUND_TELEGRAM_HTTP_API_H
#define PLAYGROUND_TELEGRAM_HTTP_API_H
/* /telegram/bot<TOKEN>/<Method> and /telegram/file/bot<TOKEN>/<path>. */
struct server_request;
struct task;

/* world is the struct world. */
void api_serve(struct task *t, void *world, struct server_request *req);

#endif
