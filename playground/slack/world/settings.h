#ifndef PLAYGROUND_SLACK_WORLD_SETTINGS_H
#define PLAYGROUND_SLACK_WORLD_SETTINGS_H
/* What POST /control/settings can change of the platform. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct json_object;

#define SLK_RETRIES      3
#define SLK_SCOPES_MAX   32
#define SLK_SCOPE_SIZE   32
#define SLK_COMMANDS_MAX 25 /* of an app: docs.slack.dev/interactivity/implementing-slash-commands */

enum slk_mentions {
	SLK_MENTIONS_ALTERNATE,
	SLK_MENTION_FIRST,
	SLK_MESSAGE_FIRST,
	SLK_MENTION_ONLY,
	SLK_MESSAGE_ONLY
};

struct slk_command {
	char name[33]; /* with its slash */
	char about[128];
};

struct slk_settings {
	bool limits;
	bool file_redirect;            /* downloads go by way of another host */
	enum slk_mentions mentions;    /* the two events of a mention */
	int64_t ack_ms;                /* Events API: 3 s */
	int64_t retry_ms[SLK_RETRIES]; /* after an attempt failed: at once, a minute, five minutes */
	int64_t hello_ms;              /* how long a connection waits for its hello */
	int64_t ping_ms;               /* how often the server pings */
	int64_t pong_ms;               /* how long it waits for any sign of life */
	int64_t connection_s;          /* how long a connection lives */
	int64_t close_ms;              /* from a disconnect message to the end of the connection */
	int64_t fragments;             /* frames that an envelope is cut into */
	int64_t stream_ms;             /* how long a message can be streamed */
	int64_t share_ms;              /* from files.completeUploadExternal to the message with the files */
	size_t missing_count;          /* scopes that tokens lack */
	char missing[SLK_SCOPES_MAX][SLK_SCOPE_SIZE];
	size_t command_count; /* that apps declare in their manifests; 0: any is taken, and none is offered */
	struct slk_command commands[SLK_COMMANDS_MAX];
};

void slk_settings_init(struct slk_settings *s);
/* Changes what in names; nothing on failure. */
int slk_settings_set(struct slk_settings *s, struct json_object *in, struct error *err);
void slk_settings_write(const struct slk_settings *s, struct json_object *out);
/* [{"command","description"}] */
struct json_object *slk_settings_commands(const struct slk_settings *s);
/* Is there such a command, with its slash? */
bool slk_settings_command(const struct slk_settings *s, const char *name);
/* Do tokens have that scope? */
bool slk_settings_scope(const struct slk_settings *s, const char *scope);

#endif
