#ifndef PLAYGROUND_DISCORD_CONTROL_CONTROL_H
#define PLAYGROUND_DISCORD_CONTROL_CONTROL_H
/* People and the network, for the control interface; see struct platform. */
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/json/json.h"
#include "playground/discord/gateway/event.h"
#include "playground/discord/world/bot.h"
#include "playground/discord/world/channel.h"
#include "playground/discord/world/guild.h"
#include "playground/discord/world/message.h"
#include "playground/discord/world/world.h"
#include "playground/platform.h"
#include "playground/world/given.h"
#include "playground/world/json_members.h"

/* Reads who acts and where from a /control request. */

/* Members "bot", "chat", "user", "kind", "thread", "guild". In a direct message with the bot, chat or user is
 * enough. */
struct cord_context {
	struct cord_bot *bot;
	struct cord_channel *channel; /* the thread, if one is named */
	struct cord_user *user;       /* NULL: no user named in a guild */
};

/* create: create what does not exist. */
int cord_context_read(
    struct cord_world *w, struct json_object *in, bool create, struct cord_context *s, struct error *err);
/* Returns the message that the member key names, or NULL with err set. */
struct cord_message *cord_context_message(
    const struct cord_context *s, struct json_object *in, const char *key, struct error *err);
/* Both, of what exists: the message is that of "message_id". */
int cord_context_on(struct cord_world *w, struct json_object *in, struct cord_context *s,
    struct cord_message **m, struct error *err);
/* Returns "private", "people", "group", "channel" or "news". */
const char *cord_context_kind(const struct cord_channel *c);
/* Sets the message id and chat of an answer. */
void cord_context_answer(const struct cord_context *s, struct json_object *out, uint64_t message_id);

/* Actions of people, and of the network: the rows for POST /control/NAME (see struct platform). */

platform_act_fn cord_control_attend, cord_control_chat, cord_control_close, cord_control_command,
    cord_control_delete, cord_control_member, cord_control_operate, cord_control_pin, cord_control_press,
    cord_control_react, cord_control_say, cord_control_socket, cord_control_submit, cord_control_topic,
    cord_control_typing, cord_control_voice, cord_control_vote;

/* Channel details besides messages, and the content of files; see struct platform. */

int cord_about_write(void *self, struct json_object *in, struct json_object *out, struct error *err);
int cord_about_file(void *self, struct json_object *in, struct json_object *out, struct error *err);

/* Values that people give to options and menus: names become ids, and what they stand for is added. */

/* By its name or id; NULL: none. */
struct cord_record *cord_role_named(const struct cord_guild *g, const char *name);

enum cord_resolved { CORD_RESOLVE_USER = 1, CORD_RESOLVE_ROLE = 2, CORD_RESOLVE_CHANNEL = 4 };

/* Finds the person, role or channel by its name or id, of one of the kinds. Adds it to resolved, the object
 * of that name in the data of an interaction. Returns its id, or 0 with err set. */
uint64_t cord_resolve(const struct cord_context *s, struct json_object *resolved, unsigned kinds,
    const char *name, struct error *err);

/* The same for a file that is given, which is kept. */
uint64_t cord_resolve_file(
    const struct cord_context *s, struct json_object *resolved, struct json_object *o, struct error *err);

#define CORD_SENT_MAX 500000000 /* bytes of a file of a person, who may pay for it */

/* Returns an array of the options of a command for its interaction; NULL with err set. in: the request, with
 * "text", "options" and "autocomplete". path: the words after the name of the command: a subcommand. */
struct json_object *cord_options_read(const struct cord_context *s, struct json_object *rows,
    const char *path, struct json_object *in, struct json_object *resolved, struct error *err);

/* Marks visible changes of a channel in the feed and writes their content. A thread is shown as part of
 * its channel. */

/* what: the literal "new", "edited", "deleted" or "reaction". */
void cord_show_message(const struct cord_message *m, const char *what);
void cord_show_typing(const struct cord_channel *c);
/* The channel is new or has changed. */
void cord_show_channel(const struct cord_channel *c);
/* In all channels: what the bot's commands are. */
void cord_show_chats(const struct cord_world *w);

/* See struct platform. */
void cord_show_write(void *self, const struct feed_mark *mark, struct buf *out);

/* What people see in chats; see struct platform. */

void cord_transcript_chats(void *self, struct json_object *array);
int cord_transcript_write(void *self, struct json_object *in, struct buf *out, struct error *err);
int cord_transcript_progress(
    void *self, struct json_object *in, struct platform_progress *p, struct error *err);
/* Returns one message as in the transcript; the caller owns it. */
struct json_object *cord_transcript_message(const struct cord_message *m);

#endif
