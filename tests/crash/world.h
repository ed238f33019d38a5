#ifndef CRASH_WORLD_H
#define CRASH_WORLD_H
/* A playground and a gateway in a temporary folder. Failures of the harness itself (the folder, a
 * playground that does not answer) end the program with a sentence; failures of the gateway are reported. */
#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "crash/shim.h"

struct world {
	char dir[64];
	char state[96], side[96]; /* of the gateway; folder of the shim */
	/* The state of a gateway that was used and stopped. Its offset is that of this playground and no
	 * other. */
	char template[96];
	char url[64]; /* of the playground */
	pid_t playground, gateway;
	int status;               /* of the gateway that ended by itself, as of waitpid */
	void *platform, *control; /* curl handles */
	bool everywhere;          /* the gateway is on all platforms, not on Telegram alone */
};

/* A chat with its platform: "telegram:77". */
struct place {
	char platform[16];
	const char *chat;
};

/* Creates the folder and starts the playground. */
void world_open(struct world *w);
/* Ends both; removes the folder unless keep. */
void world_close(struct world *w, bool keep);
/* Clears all chats and requests, and gives the gateway a state directory: the template's, or an empty one.
 * everywhere: on all platforms, else on Telegram only, which starts faster. queue: sessions.queue, NULL:
 * default. */
void world_reset(struct world *w, bool empty, bool everywhere, const char *queue);
/* Removes a file or folder recursively. */
void world_remove(const char *path);
/* Copies files and folders, not sockets. */
void world_copy(const char *from, const char *to);

/* Starts the gateway with the shim, which logs to the emptied side. at 0: it survives. */
void world_start(struct world *w, uint64_t at, enum shim_mode mode);
/* Does it exit within ms? */
bool world_ended(struct world *w, int ms);
/* Sends the signal and waits. Returns the exit status or -signal. */
int world_end(struct world *w, int signo);

/* Calls the playground, by POST if there is a body. The caller owns the answer. */
struct json_object *world_ask(struct world *w, const char *path, const char *body);
/* GET /v1/status of the gateway; NULL: no answer. */
struct json_object *world_status(struct world *w);
/* POST /v1/messages; returns the answer or NULL. */
struct json_object *world_send(struct world *w, const char *chat, const char *text, const char *key);
/* file: content of an attached plan.txt; NULL: none. */
void world_say(struct world *w, const char *chat, const char *user, const char *text, const char *file);
struct place world_place(const char *address);
/* Returns the chat's transcript; the caller owns it. */
struct json_object *world_transcript(struct world *w, const char *chat);
/* Returns the number of updates that the platforms would repeat. */
int64_t world_unconfirmed(struct world *w);
char *world_log(struct world *w);
uint64_t world_now_ms(void);

#endif
