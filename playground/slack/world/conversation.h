#ifndef PLAYGROUND_SLACK_WORLD_CONVERSATION_H
#define PLAYGROUND_SLACK_WORLD_CONVERSATION_H
/* A conversation: a direct message, a group of them, a public or a private channel. */
#include "playground/slack/world/world.h"

struct buf;
struct slk_app;
struct slk_message;

#define SLK_STATUS_MS 120000 /* assistant.threads.setStatus: it goes after two minutes */

enum slk_kind { SLK_IM, SLK_MPIM, SLK_PRIVATE, SLK_PUBLIC };

struct slk_status { /* assistant.threads.setStatus */
	struct list link;
	int64_t thread;
	char *text;
	uint64_t until_ms;
};

struct slk_conv {
	struct list link;
	struct slk_world *world;
	char id[SLK_ID_SIZE];
	enum slk_kind kind;
	char *name;            /* of channels; NULL in direct messages */
	struct slk_user *user; /* whose direct message with app it is; NULL in channels */
	struct slk_app *app;
	int64_t created;               /* Unix time */
	const char *refusal;           /* the error of every attempt to write, a literal; NULL: none */
	struct slk_message **messages; /* by ts */
	size_t count, cap;
	char (*members)[SLK_ID_SIZE]; /* people and bot users, in the order of their coming */
	size_t member_count;
	struct list statuses;
};

/* What a control request means by "chat", "kind" and "user". */
struct slk_wish {
	const char *chat, *kind, *user;
	struct slk_app *app;
};

struct slk_conv *slk_conv_find(const struct slk_world *w, const char *id);
/* The channel of that name, without #. */
struct slk_conv *slk_conv_named(const struct slk_world *w, const char *name);
/* The one that is wished for; NULL with err set. slk_conv_get makes what does not exist; created (NULL is
 * fine) says so. */
struct slk_conv *slk_conv_look(struct slk_world *w, const struct slk_wish *wish, struct error *err);
struct slk_conv *slk_conv_get(
    struct slk_world *w, const struct slk_wish *wish, bool *created, struct error *err);
/* The direct message of the two, made when new: with that id, or one of its own for NULL. */
struct slk_conv *slk_conv_im(struct slk_app *a, struct slk_user *u, const char *id, bool *created);
/* For the state of an earlier run: empty. */
struct slk_conv *slk_conv_new(struct slk_world *w, const char *id, enum slk_kind kind, const char *name);
void slk_conv_free(struct slk_conv *c);

bool slk_conv_has(const struct slk_conv *c, const char *member);
void slk_conv_add(struct slk_conv *c, const char *member);
void slk_conv_remove(struct slk_conv *c, const char *member);
/* May the app see that it exists? Public channels all, others as a member. */
bool slk_conv_sees(const struct slk_conv *c, const struct slk_app *a);

/* channel, group, im or mpim, as events name it; and as the control interface does. */
const char *slk_conv_type(const struct slk_conv *c);
const char *slk_conv_control_kind(const struct slk_conv *c);
/* The channel object; the caller's. */
struct json_object *slk_conv_json(const struct slk_conv *c, const struct slk_app *a);

/* What shows below the thread at this moment; NULL: nothing. thread 0: of any. */
const char *slk_conv_status(struct slk_conv *c, int64_t thread);
/* "": none any more. */
void slk_conv_set_status(struct slk_conv *c, int64_t thread, const char *text);

#endif
