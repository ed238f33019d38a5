#ifndef PLAYGROUND_SLACK_WORLD_WORLD_H
#define PLAYGROUND_SLACK_WORLD_WORLD_H
/* Everything that exists in the simulated workspace: people, apps, conversations, files. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"
#include "playground/world/map.h"
#include "playground/slack/world/settings.h"

struct error;
struct json_object;
struct playground;
struct record_log;

#define SLK_ID_SIZE 24
#define SLK_TEAM    "T0PLAYGRND"

struct slk_user {
	struct list link;
	char id[SLK_ID_SIZE];
	char *name; /* as the control interface names the person; the id where nobody named them */
	bool disabled;
};

struct slk_world {
	struct playground *pg;
	struct record_log *log;
	struct list users, apps, convs, files; /* in the order of their appearance */
	struct list tickets;                   /* of apps.connections.open */
	struct list shares;                    /* messages with files that are still to come */
	struct list hooks;                     /* response_urls that were given out */
	struct map by_id;                      /* users, conversations and files, by the number of their id */
	int64_t last_ts;                       /* microseconds of the newest ts */
	uint64_t last_event, last_number;
	bool mention_turn; /* which of the two events of a mention came first the last time */
	char base[128];    /* where it stands, as clients name it: "http://HOST/slack/" */
	struct slk_settings set;
};

/* A number for a text, the same on every run. */
uint64_t slk_hash(const char *text);
/* Is text an id of the platform that begins with one of the letters? */
bool slk_is_id(const char *text, const char *letters);
/* An id made of the letter and the name. */
void slk_make_id(char out[SLK_ID_SIZE], char letter, const char *name);
/* One that nobody has yet. */
void slk_new_id(struct slk_world *w, char out[SLK_ID_SIZE], char letter);

/* A time that no message has yet, in microseconds since 1970. */
int64_t slk_new_ts(struct slk_world *w);
/* "1790000000.000200". */
void slk_write_ts(int64_t ts, char out[SLK_ID_SIZE]);
/* False when text is no ts. */
bool slk_read_ts(const char *text, int64_t *ts);

struct slk_user *slk_find_user(const struct slk_world *w, const char *id_or_name);
/* Created when new; NULL with err set when the text can be no name. */
struct slk_user *slk_get_user(struct slk_world *w, const char *id_or_name, struct error *err);
void slk_rename_user(struct slk_world *w, struct slk_user *u, const char *name);
/* The user object of users.info. The caller's. */
struct json_object *slk_user_json(const struct slk_user *u);

/* People, conversations and files go; apps stay. */
void slk_world_forget(struct slk_world *w);

#endif
