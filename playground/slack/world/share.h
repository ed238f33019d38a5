#ifndef PLAYGROUND_SLACK_WORLD_SHARE_H
#define PLAYGROUND_SLACK_WORLD_SHARE_H
/* Messages with files. Those of an app appear some time after the response of
 * files.completeUploadExternal. */
#include <stdint.h>

struct json_object;
struct slk_app;
struct slk_conv;
struct slk_file;
struct slk_message;
struct slk_world;

/* Schedules a message with the files of [{"id"},...]; comment may be NULL. */
void slk_share_later(
    struct slk_conv *c, struct slk_app *a, int64_t thread, const char *comment, struct json_object *files);
/* Attaches a file to a new message, which becomes a file_share. */
void slk_share_attach(struct slk_conv *c, struct slk_message *m, struct slk_file *f);
/* Cancels scheduled messages. */
void slk_shares_clear(struct slk_world *w);

#endif
