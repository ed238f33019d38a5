#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "playground/discord/world/world_internal.h"
#include "playground/spec/spec.h"

#define NAME_MAX_LEN 64
#define USERNAME_MAX 32

uint64_t cord_new_id(struct cord_world *w)
{
	return cord_snowflake_next(&w->last_id);
}

static int64_t name_key(const char *name)
{
	return (int64_t)cord_snowflake_of_name("user", name);
}

struct cord_user *cord_user_find(const struct cord_world *w, uint64_t id)
{
	return map_get(&w->users, (int64_t)id, 0);
}

struct cord_user *cord_user_by_name(const struct cord_world *w, const char *name)
{
	uint64_t id;

	return cord_snowflake_read(name, &id) ? cord_user_find(w, id) : map_get(&w->names, name_key(name), 0);
}

static char *username_of(const char *label, uint64_t id)
{
	struct buf b = BUF_INIT;

	if (isdigit((unsigned char)label[0]))
		buf_addstr(&b, "user");
	for (; *label != '\0' && b.len < USERNAME_MAX; label++)
		if (isalnum((unsigned char)*label) || *label == '_' || *label == '.')
			buf_addch(&b, (char)tolower((unsigned char)*label));
	if (b.len < 2)
		buf_addf(&b, "user%llu", (unsigned long long)id);
	return buf_take(&b);
}

struct cord_user *cord_user_new(struct cord_world *w, uint64_t id, const char *label)
{
	struct cord_user *u = xcalloc(1, sizeof(*u));
	uint64_t number;

	u->id = id;
	u->label = xstrdup(label);
	u->username = username_of(label, id);
	map_put(&w->users, (int64_t)id, 0, u);
	if (!cord_snowflake_read(label, &number))
		map_put(&w->names, name_key(label), 0, u);
	return u;
}

static bool is_name(const char *s)
{
	size_t len = strlen(s);

	if (len == 0 || len > NAME_MAX_LEN || s[0] == '-')
		return false;
	for (; *s != '\0'; s++)
		if ((unsigned char)*s < ' ')
			return false;
	return true;
}

int cord_user_get(struct cord_world *w, const char *name, struct cord_user **out, struct error *err)
{
	uint64_t id;

	if (!name || !is_name(name))
		return error_set(
		    err, ERROR_OURS, "a user is an id or a name of at most %d bytes", NAME_MAX_LEN);
	*out = cord_user_by_name(w, name);
	if (*out)
		return 0;
	if (!cord_snowflake_read(name, &id))
		id = (uint64_t)name_key(name);
	if (map_get(&w->bots, (int64_t)id, 0))
		return error_set(err, ERROR_OURS, "%.24s is a bot", name);
	*out = cord_user_new(w, id, name);
	list_each_entry(&w->guild_list, struct cord_guild, g, link)
		cord_member_event(g, id, "GUILD_MEMBER_ADD");
	return 0;
}

struct json_object *cord_fill(const char *schema, struct json_object *o)
{
	spec_fill(spec_type(spec_of("discord"), schema), o);
	return o;
}

struct json_object *cord_part(const char *schema, struct json_object *whole)
{
	const struct spec_record *r = spec_type(spec_of("discord"), schema);
	struct json_object *o = json_object_new_object(), *v;

	for (size_t i = 0; i < r->count; i++)
		if (json_object_object_get_ex(whole, r->members[i].name, &v))
			json_object_object_add(o, r->members[i].name, json_object_get(v));
	json_object_put(whole);
	return cord_fill(schema, o);
}

struct json_object *cord_user_json(const struct cord_user *u)
{
	struct json_object *o = json_newf("{id: %p, username: %s, discriminator: '0', global_name: %s}",
	    cord_id_or_null(u->id), u->username, u->label);

	if (u->bot)
		json_set_bool(o, "bot", true);
	return cord_fill("UserResponse", o);
}

struct json_object *cord_anyone_json(const struct cord_world *w, uint64_t id)
{
	const struct cord_user *u = cord_user_find(w, id);
	const struct cord_bot *b = map_get(&w->bots, (int64_t)id, 0);

	return u ? cord_user_json(u) : b ? cord_bot_json(b) : NULL;
}

static void free_users(struct cord_world *w)
{
	size_t count;
	void **all = map_values(&w->users, &count);

	for (size_t i = 0; i < count; i++) {
		struct cord_user *u = all[i];

		free(u->label);
		free(u->username);
		free(u);
	}
	free(all);
	map_clear(&w->users);
	map_clear(&w->names);
}

void cord_world_forget(struct cord_world *w)
{
	list_each_entry(&w->bot_list, struct cord_bot, b, link)
		cord_bot_forget(b);
	list_each_entry(&w->interaction_list, struct cord_interaction, entry, link)
		cord_interaction_free(entry);
	list_each_entry(&w->channel_list, struct cord_channel, c, link)
		cord_channel_free(c);
	list_each_entry(&w->guild_list, struct cord_guild, g, link)
		cord_guild_free(g);
	list_each_entry(&w->file_list, struct cord_file, f, link)
		cord_file_free(f);
	cord_records_clear(&w->records);
	map_clear(&w->channels);
	map_clear(&w->guilds);
	map_clear(&w->interactions);
	map_clear(&w->files);
	cord_limits_clear(&w->limits);
	free_users(w);
}

void cord_world_clear(struct cord_world *w)
{
	cord_world_forget(w);
	list_each_entry(&w->bot_list, struct cord_bot, b, link)
		cord_bot_free(b);
	map_clear(&w->bots);
	w->bot_count = 0;
}
