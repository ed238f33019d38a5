#ifndef CRASH_WORLD_H
#define CRASH_WORLD_H
/*
 * A playground and a gateway of one's own, in a folder of their own. What must work for the harness itself (a
 * folder, a playground that answers) ends the program with a sentence when it does not; what the gateway does
 * is reported.
 */
#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "crash/shim.h"

struct world {
	char dir[64];
	char state[96], side[96]; /* of the gateway; what the shim noted */
	/* The state of a gateway that was used and stopped. Its offset is that of this playground and no
	 * other. */
	char template[96];
	char url[64]; /* of the playground */
	pid_t playground, gateway;
	void *platform, *control; /* curl handles */
	bool everywhere;          /* the gateway is on all platforms, not on Telegram alone */
};

/* "telegram:77": a chat of a platform. */
struct place {
	char platform[16];
	const char *chat;
};

/* Makes the folder and starts the playground. */
void world_open(struct world *w);
/* Ends both; removes the folder unless it is to be kept. */
void world_close(struct world *w, bool keep);
/* Forgets all chats and requests, and gives the gateway a state directory: the template's, or an empty one.
 * The gateway will be on all platforms (everywhere), or on Telegram alone, which starts sooner. queue:
 * sessions.queue, NULL: as it is. */
void world_reset(struct world *w, bool empty, bool everywhere, const char *queue);
/* With all that is in it. */
void world_remove(const char *path);
/* Copies files and folders, not sockets. */
void world_copy(const char *from, const char *to);

/* Starts the gateway under the shim, which notes into the emptied side; at 0: it lives. */
void world_start(struct world *w, uint64_t at, enum shim_mode mode);
/* Has it ended, within ms? */
bool world_ended(struct world *w, int ms);
/* Ends it by the signal and waits: its exit status, or -signal. */
int world_end(struct world *w, int signo);

/* A request of the playground: GET, or POST when there is a body. The answer, new. */
struct json_object *world_ask(struct world *w, const char *path, const char *body);
/* GET /v1/status of the gateway: NULL when it does not answer. */
struct json_object *world_status(struct world *w);
/* POST /v1/messages: the answer, or NULL. */
struct json_object *world_send(struct world *w, const char *chat, const char *text, const char *key);
/* file: the text of a plan.txt that comes with it; NULL: none. */
void world_say(struct world *w, const char *chat, const char *user, const char *text, const char *file);
struct place world_place(const char *address);
/* What the platform shows of a chat, new. */
struct json_object *world_transcript(struct world *w, const char *chat);
/* What the platforms would give once more, since the gateway has not confirmed it. */
int64_t world_unconfirmed(struct world *w);
char *world_log(struct world *w);
uint64_t world_now_ms(void);

#endif
