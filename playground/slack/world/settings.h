#ifndef PLAYGROUND_SLACK_WORLD_SETTINGS_H
#define PLAYGROUND_SLACK_WORLD_SETTINGS_H
/* The Slack settings of POST /control/settings. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct json_object;

#define SLK_RETRIES      3
#define SLK_SCOPES_MAX   64
#define SLK_SCOPE_SIZE   32
#define SLK_DOMAINS_MAX  5 /* docs.slack.dev/messaging/unfurling-links-in-messages */
#define SLK_DOMAIN_SIZE  64
#define SLK_COMMANDS_MAX 25 /* per app: docs.slack.dev/interactivity/implementing-slash-commands */

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
	bool file_redirect;            /* downloads redirect to another host */
	enum slk_mentions mentions;    /* the two events of a mention */
	int64_t ack_ms;                /* Events API: 3 s */
	int64_t retry_ms[SLK_RETRIES]; /* delays after failed attempts: 0, 1 min, 5 min */
	int64_t hello_ms;              /* delay of a connection's hello */
	int64_t ping_ms;               /* interval of server pings */
	int64_t pong_ms;               /* maximum silence of the client */
	int64_t connection_s;          /* lifetime of a connection */
	int64_t close_ms;              /* from the disconnect message to the close */
	int64_t fragments;             /* frames per envelope */
	int64_t stream_ms;             /* maximum duration of a stream */
	int64_t share_ms;              /* from files.completeUploadExternal to the message with the files */
	size_t missing_count;          /* scopes that tokens lack */
	char missing[SLK_SCOPES_MAX][SLK_SCOPE_SIZE];
	int64_t trigger_ms;    /* lifetime of a trigger_id */
	char request_url[512]; /* of events, commands and interactions over HTTP; "": none */
	char signing_secret[65];
	size_t domain_count; /* whose links the app unfurls */
	char domains[SLK_DOMAINS_MAX][SLK_DOMAIN_SIZE];
	size_t command_count; /* commands in app manifests; 0: any is accepted, none is offered */
	struct slk_command commands[SLK_COMMANDS_MAX];
};

void slk_settings_init(struct slk_settings *s);
/* Applies the settings in `in`; on failure changes none. */
int slk_settings_set(struct slk_settings *s, struct json_object *in, struct error *err);
void slk_settings_write(const struct slk_settings *s, struct json_object *out);
/* [{"command","description"}] */
struct json_object *slk_settings_commands(const struct slk_settings *s);
/* Does this command exist? name includes the slash. */
bool slk_settings_command(const struct slk_settings *s, const char *name);
/* Do tokens have this scope? */
bool slk_settings_scope(const struct slk_settings *s, const char *scope);

#endif
