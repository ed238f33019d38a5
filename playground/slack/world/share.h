#ifndef PLAYGROUND_SLACK_WORLD_SHARE_H
#define PLAYGROUND_SLACK_WORLD_SHARE_H
/* Messages with files. Those of an app come some time after files.completeUploadExternal has answered. */
#include <stdint.h>

struct json_object;
struct slk_app;
struct slk_conv;
struct slk_file;
struct slk_message;
struct slk_world;

/* Later: a message with the files that [{"id"},…] names; comment may be NULL. */
void slk_share_later(
    struct slk_conv *c, struct slk_app *a, int64_t thread, const char *comment, struct json_object *files);
/* Puts a file into a message that was just added; it becomes a file_share. */
void slk_share_attach(struct slk_conv *c, struct slk_message *m, struct slk_file *f);
/* What has not come yet will not come. */
void slk_shares_clear(struct slk_world *w);

#endif
