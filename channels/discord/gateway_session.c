#include "channels/discord/gateway_session.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "channels/discord/cache.h"

void discord_gateway_session_clear(struct discord_gateway_session *s)
{
	free(s->id);
	free(s->url);
	*s = (struct discord_gateway_session){0};
}

void discord_gateway_session_forget(struct discord_gateway_session *s)
{
	free(s->id);
	free(s->url);
	s->id = s->url = NULL;
	s->seq = 0;
	s->has_seq = false;
	s->dirty = true;
}

void discord_gateway_session_begin(struct discord_gateway_session *s, const char *id, const char *url)
{
	char *new_id = xstrdup(id), *new_url = xstrdup(url);

	discord_gateway_session_forget(s);
	s->id = new_id;
	s->url = new_url;
}

void discord_gateway_session_commit(struct discord_gateway_session *s, int64_t seq)
{
	if (s->has_seq && seq <= s->seq)
		return;
	s->seq = seq;
	s->has_seq = true;
}

static void set_id(struct json_object *o, const char *key, uint64_t id)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, id);
	json_set_str(o, key, text);
}

char *discord_gateway_session_text(const struct discord_gateway_session *s)
{
	struct json_object *o = json_object_new_object();
	char *text;

	json_set_str(o, "session", s->id);
	json_set_str(o, "url", s->url);
	if (s->has_seq)
		json_set_int(o, "seq", s->seq);
	set_id(o, "mark", s->mark);
	if (s->gap != 0)
		set_id(o, "gap", s->gap);
	if (s->shards > 1)
		json_set_int(o, "shards", s->shards);
	text = json_text(o);
	json_object_put(o);
	return text;
}

void discord_gateway_session_read(struct discord_gateway_session *s, const char *text)
{
	struct json_object *o = text ? json_parse_object(text, strlen(text), NULL) : NULL;

	discord_gateway_session_clear(s);
	if (json_get_str(o, "session") && json_get(o, "seq")) {
		s->id = xstrdup(json_get_str(o, "session"));
		s->url = xstrdup(json_get_str(o, "url"));
		discord_gateway_session_commit(s, json_get_int(o, "seq", 0));
	}
	s->mark = discord_id_get(o, "mark");
	s->gap = discord_id_get(o, "gap");
	s->shards = o ? (unsigned)json_get_int(o, "shards", 1) : 0;
	json_object_put(o);
	/* Only a new session triggers the pending backfill. */
	if (s->gap != 0)
		discord_gateway_session_forget(s);
}
