/* channels/discord/event: whatever the gateway or GET /channels/{id}/messages gives, a message that is made
 * of it is whole. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/text/utf8.h"
#include "bus/message.h"
#include "channels/discord/event.h"
#include "channels/discord/cache.h"
#include "fuzz/fuzz.h"

static const struct discord_self self = {.user = 900,
    .app = 901,
    .username = "bot",
    .account = "discord:901",
    .channel = "main",
    .receives_all = true};

static void hold_text(const char *text)
{
	HOLDS(!text || utf8_valid(text, strlen(text)));
}

static void check_message(const struct message *m)
{
	char text[ADDRESS_TEXT_MAX];
	struct address again;

	HOLDS(strcmp(m->account, self.account) == 0 && strcmp(m->from.channel, self.channel) == 0);
	HOLDS(m->event_id != NULL && m->event_id[0] != '\0' && discord_id_parse(m->sender_id) != 0);
	HOLDS(discord_id_parse(m->from.chat) != 0);
	HOLDS(address_parse(address_format(&m->from, text), &again, NULL) == 0 &&
	    address_equal(&again, &m->from));
	HOLDS(strlen(m->text) <= DISCORD_TEXT_MAX + 256);
	HOLDS(m->chat_kind != CHAT_PRIVATE || m->addressed);
	hold_text(m->event_id);
	hold_text(m->message_id);
	hold_text(m->sender_name);
	hold_text(m->chat_title);
	hold_text(m->reply_to);
	hold_text(m->reply_text);
	hold_text(m->reply_sender_name);
	hold_text(m->text);
}

static void note_cache(struct discord_cache *cache, struct json_object *list)
{
	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		struct json_object *o = json_object_array_get_idx(list, i);

		if (!json_object_is_type(o, json_type_object))
			continue;
		if (json_get(o, "roles"))
			discord_cache_note_guild(cache, o, self.user);
		else
			discord_cache_note_channel(cache, o, 1);
	}
}

/* {"places":[guilds and channels],"t":"message|edit|interaction|joined","d":{…}} */
void fuzz_discord_event(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);
	struct discord_cache cache;
	struct discord_event_context context = {.self = &self, .cache = &cache};
	struct buf clean = BUF_INIT;
	struct message *m = NULL;
	enum discord_event what = DISCORD_EVENT_BAD;
	size_t len;
	char *text = fuzz_rest(&in, &len);
	struct json_object *all, *d;
	const char *t;

	fuzz_quiet_log();
	discord_cache_init(&cache, 1);
	utf8_sanitize(&clean, text, len);
	all = json_parse_object(clean.data, clean.len, NULL);
	note_cache(&cache, json_get_array(all, "places"));
	d = json_get_object(all, "d");
	t = json_get_str(all, "t");
	context.channel = discord_cache_channel(&cache, discord_id_get(d, "channel_id"));
	context.guild = context.channel ? discord_cache_guild(&cache, context.channel->guild) : NULL;
	if (d && t) {
		if (strcmp(t, "joined") == 0)
			what = discord_event_joined(d, &self, &m);
		else if (strcmp(t, "interaction") == 0)
			what = discord_event_interaction(d, &context, &m);
		else if (context.channel)
			what = strcmp(t, "edit") == 0 ? discord_event_edit(d, &context, &m) :
							discord_event_message(d, &context, &m);
	}
	HOLDS((what == DISCORD_EVENT_MESSAGE) == (m != NULL));
	if (m)
		check_message(m);
	message_free(m);
	json_object_put(all);
	discord_cache_clear(&cache);
	buf_clear(&clean);
	free(text);
}

FUZZ_PROGRAM(fuzz_discord_event)
