#ifndef PLAYGROUND_TELEGRAM_HTTP_API_H
#define PLAYGROUND_TELEGRAM_HTTP_API_H
/* /telegram/bot<TOKEN>/<Method> and /telegram/file/bot<TOKEN>/<path>. */
#include <stdbool.h>
#include <stddef.h>

struct bot;
struct exchange;
struct server_request;
struct task;
struct world;

/* /bot… and /file/bot… are served as well. */
bool api_is_at_root(const char *path);
/* As in struct platform. */
bool api_has_method(const char *name);

/* Runs the call that a webhook may give in its answer to an update; nobody gets the result. type: the
 * Content-Type; NULL: none. */
void api_run_answer(struct task *t, struct bot *b, const char *type, const char *body, size_t len);
/* world is the struct world. */
void api_serve(struct task *t, void *world, struct server_request *req);

/* Serves files of getFile at /file/bot<TOKEN>/<path>. */

/* Bot API, getFile: at most 20 MB. */
#define FILE_MAX (20 << 20)

void file_serve(struct world *w, struct exchange *ex, const char *path);

#endif
