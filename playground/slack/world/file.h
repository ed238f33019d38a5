#ifndef PLAYGROUND_SLACK_WORLD_FILE_H
#define PLAYGROUND_SLACK_WORLD_FILE_H
/* A file shared by a person, or uploaded by an app in three steps. */
#include "playground/slack/world/world.h"

struct buf;
struct slk_app;
struct slk_conv;

enum slk_file_state { SLK_FILE_WANTED, SLK_FILE_UPLOADED, SLK_FILE_COMPLETE, SLK_FILE_DELETED };

struct slk_file {
	struct list link;
	struct slk_world *world;
	char id[SLK_ID_SIZE];
	char *name, *title;
	char *data; /* NULL: len zero bytes, not saved */
	size_t len;
	enum slk_file_state state;
	struct slk_app *app; /* the uploading app; NULL: a person's */
	struct slk_user *user;
	int64_t created;            /* Unix time */
	char secret[33];            /* of its URLs */
	struct json_object *shares; /* as in files.info */
};

/* Creates an empty file with a new id. Copies name. */
struct slk_file *slk_file_new(struct slk_world *w, const char *name, size_t len);
struct slk_file *slk_file_find(const struct slk_world *w, const char *id);
void slk_file_free(struct slk_file *f);
/* Records that a message shares the file. */
void slk_file_share(struct slk_file *f, const struct slk_conv *c, int64_t ts, int64_t thread);
/* The file object, owned by the caller; base is the platform's URL. */
struct json_object *slk_file_json(const struct slk_file *f, const char *base);
/* Drops the content; where it was shared, a tombstone stays, and the apps are told. */
void slk_file_delete(struct slk_file *f);
/* Does the app see it: its own, or shared where the app reads? */
bool slk_file_sees(const struct slk_file *f, const struct slk_app *a);
/* Appends the content. */
void slk_file_write(const struct slk_file *f, struct buf *out);

#endif
