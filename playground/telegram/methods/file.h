#ifndef PLAYGROUND_TELEGRAM_METHODS_FILE_H
#define PLAYGROUND_TELEGRAM_METHODS_FILE_H
/* Serves files of getFile at /file/bot<TOKEN>/<path>. */
struct exchange;
struct world;

/* Bot API, getFile: at most 20 MB. */
#define FILE_MAX (20 << 20)

void file_serve(struct world *w, struct exchange *ex, const char *path);

#endif
