#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/base64.h"
#include "playground/discord/gateway/gateway.h"
#include "playground/discord/world/world_internal.h"

#define SECRET_MIN 27 /* Undocumented: the length of the shortest real ones */
#define STAMP_MIN  6

struct cord_bot *cord_bot_new(struct cord_world *w, uint64_t id)
{
	struct cord_bot *b = xcalloc(1, sizeof(*b));

	b->world = w;
	b->id = id;
	b->number = (int64_t)++w->bot_count;
	list_init(&b->sessions);
	list_init(&b->commands.list);
	/* The first bot has a fixed name, known in advance. */
	if (b->number == 1)
		str_copy(b->username, sizeof(b->username), "myna");
	else
		snprintf(b->username, sizeof(b->username), "myna_%" PRIu64, id);
	list_append(&w->bot_list, &b->link);
	if (id != 0)
		map_put(&w->bots, (int64_t)id, 0, b);
	return b;
}

void cord_bot_forget(struct cord_bot *b)
{
	map_clear(&b->dms);
	list_each_entry(&b->sessions, struct cord_session, entry, link)
		cord_session_forget(entry);
}

void cord_bot_free(struct cord_bot *b)
{
	list_remove(&b->link);
	list_each_entry(&b->sessions, struct cord_session, entry, link)
		cord_session_free(entry);
	cord_commands_clear(&b->commands);
	map_clear(&b->dms);
	free(b);
}

struct json_object *cord_bot_json(const struct cord_bot *b)
{
	const struct cord_record *own = cord_record_find(b->world, CORD_APPLICATION, b->id, b->id);
	struct json_object *o = json_newf(
	    "{id: %p, username: %s, discriminator: '0001', bot: true}", cord_id_or_null(b->id), b->username);

	if (own && json_get_str(own->json, "avatar"))
		json_set_str(o, "avatar", json_get_str(own->json, "avatar"));
	if (own && json_get_str(own->json, "banner"))
		json_set_str(o, "banner", json_get_str(own->json, "banner"));
	return cord_fill("UserResponse", o);
}

struct cord_bot *cord_bot_choose(struct cord_world *w, const char *id)
{
	uint64_t number;

	if (id)
		return cord_snowflake_read(id, &number) ? map_get(&w->bots, (int64_t)number, 0) : NULL;
	if (list_is_empty(&w->bot_list))
		return cord_bot_new(w, 0);
	return list_entry(w->bot_list.prev, struct cord_bot, link);
}

struct cord_bot *cord_bot_by_number(const struct cord_world *w, int64_t number)
{
	list_each_entry(&w->bot_list, struct cord_bot, b, link)
		if (b->number == number)
			return b;
	return NULL;
}

struct cord_bot *cord_bot_get(struct cord_world *w, uint64_t id)
{
	struct cord_bot *b = map_get(&w->bots, (int64_t)id, 0);
	struct list *first = list_first(&w->bot_list);

	if (b)
		return b;
	b = first ? list_entry(first, struct cord_bot, link) : NULL;
	if (!b || b->id != 0)
		return cord_bot_new(w, id);
	b->id = id; /* messages so far were meant for it */
	map_put(&w->bots, (int64_t)id, 0, b);
	list_each_entry(&w->channel_list, struct cord_channel, c, link)
		cord_channel_claim(c, b);
	list_each_entry(&w->guild_list, struct cord_guild, g, link)
		cord_guild_claim(g, b);
	return b;
}

/* Returns how many characters of the token's alphabet s begins with. */
static size_t piece_len(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_' || s[n] == '-')
		n++;
	return n;
}

static bool read_id(const char *s, size_t len, uint64_t *id)
{
	char *piece = xstrndup(s, len);
	struct buf text = BUF_INIT;
	bool good;

	good = base64_decode(&text, piece, len) == 0 && strlen(text.data) == text.len &&
	    cord_snowflake_read(text.data, id);
	buf_clear(&text);
	free(piece);
	return good;
}

struct cord_bot *cord_bot_of_token(struct cord_world *w, const char *token)
{
	size_t id_len, stamp_len, secret_len;
	struct cord_bot *b;
	uint64_t id;

	if (!token)
		return NULL;
	if (strncmp(token, "Bot ", 4) == 0) /* some clients say so in IDENTIFY, too */
		token += 4;
	id_len = piece_len(token);
	if (token[id_len] != '.' || !read_id(token, id_len, &id))
		return NULL;
	stamp_len = piece_len(token + id_len + 1);
	if (stamp_len < STAMP_MIN || token[id_len + 1 + stamp_len] != '.')
		return NULL;
	secret_len = piece_len(token + id_len + stamp_len + 2);
	if (secret_len < SECRET_MIN || token[id_len + stamp_len + 2 + secret_len] != '\0' ||
	    strstr(token, "revoked"))
		return NULL;
	b = cord_bot_get(w, id);
	return b->token_reset ? NULL : b;
}
