#ifndef PLAYGROUND_SLACK_WORLD_SCHEDULED_H
#define PLAYGROUND_SLACK_WORLD_SCHEDULED_H
/* Messages that an app has scheduled; each is posted at its time. */
#include "playground/world/timer.h"
#include "playground/slack/world/world.h"

struct json_object;
struct slk_app;
struct slk_content;
struct slk_conv;

struct slk_scheduled {
	struct list link;
	char id[SLK_ID_SIZE];
	struct slk_conv *conv;
	struct slk_app *app;
	int64_t thread;           /* ts; 0: none */
	int64_t post_at, created; /* Unix time */
	bool broadcast;
	struct json_object *content; /* text, markdown, blocks, attachments, metadata */
	struct world_timer timer;
};

/* thread 0: none. Copies content. */
struct slk_scheduled *slk_scheduled_new(struct slk_conv *c, struct slk_app *a, int64_t thread, bool broadcast,
    int64_t post_at, const struct slk_content *content);
void slk_scheduled_free(struct slk_scheduled *s);
void slk_scheduled_clear(struct slk_world *w);
/* As in chat.scheduledMessages.list. The caller owns it. */
struct json_object *slk_scheduled_json(const struct slk_scheduled *s);

/* For the state file. The caller owns the result; load returns -1 for a damaged one. */
struct json_object *slk_scheduled_save(const struct slk_scheduled *s);
int slk_scheduled_load(struct slk_world *w, struct json_object *o);

#endif
