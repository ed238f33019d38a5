#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "playground/discord/control/control.h"

static void set_name(struct json_object *o, uint64_t id, const char *name)
{
	char key[24];

	snprintf(key, sizeof(key), "%" PRIu64, id);
	json_set_str(o, key, name);
}

/* How to read the ids in texts: of people, bots, their roles and channels. */
static struct json_object *names_json(struct cord_world *w, const struct cord_guild *g)
{
	struct json_object *o = json_object_new_object();
	size_t count;
	void **users = map_values(&w->users, &count);

	for (size_t i = 0; i < count; i++)
		set_name(o, ((struct cord_user *)users[i])->id, ((struct cord_user *)users[i])->label);
	free(users);
	list_each_entry(&w->bot_list, const struct cord_bot, b, link)
		set_name(o, b->id, b->username);
	for (size_t i = 0; g && i < g->bot_count; i++)
		set_name(o, g->bots[i].role, g->bots[i].bot->username);
	list_each_entry(&w->channel_list, const struct cord_channel, c, link)
		if (c->name)
			set_name(o, c->id, c->name);
	return o;
}

static struct json_object *threads_json(struct cord_world *w, const struct cord_channel *parent)
{
	struct json_object *array = json_object_new_array();

	list_each_entry(&w->channel_list, const struct cord_channel, c, link) {
		if (c->parent != parent || c->gone)
			continue;
		json_object_array_add(array,
		    json_newf("{id: %p, name: %s, archived: %i, locked: %i}", cord_id_or_null(c->id), c->name,
			c->archived, c->locked));
	}
	return array;
}

/* Those that are typed, or those of the menus. Commands of the guild precede global ones with the same name.
 */
static struct json_object *commands_json(struct cord_bot *b, const struct cord_guild *g, bool menus)
{
	struct json_object *array = json_object_new_array();

	list_each(&b->commands.list, it, tmp) {
		struct cord_command *c = list_entry(it, struct cord_command, link), *first;
		const char *name = json_get_str(c->json, "name");
		int64_t type = json_get_int(c->json, "type", 1);

		if ((type != 1) != menus || (c->guild_id != 0 && (!g || c->guild_id != g->id)))
			continue;
		first = g ? cord_command_by_name(&b->commands, g->id, name, type) : NULL;
		if (!first || first == c)
			json_object_array_add(array, json_object_get(c->json));
	}
	return array;
}

int cord_about_write(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	const struct cord_channel *c;
	struct cord_context s;

	if (cord_context_read(self, in, false, &s, err) != 0)
		return -1;
	c = s.channel->parent ? s.channel->parent : s.channel;
	json_setf(out,
	    "title: %s, guild: %s, bot_name: %s, bot_id: %p, names: %p, threads: %p, commands: %p, menus: %p",
	    c->user ? c->user->label : c->name, c->guild ? c->guild->name : NULL, s.bot->username,
	    cord_id_or_null(s.bot->id), names_json(self, c->guild), threads_json(self, c),
	    commands_json(s.bot, c->guild, false), commands_json(s.bot, c->guild, true));
	return 0;
}

int cord_about_file(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	const char *index = members_string(in, "index");
	size_t i = index ? strtoul(index, NULL, 10) : 0;
	struct cord_message *m;
	struct cord_context s;

	if (cord_context_on(self, in, &s, &m, err) != 0)
		return -1;
	if (i >= m->file_count)
		return error_set(err, ERROR_OURS, "that message has no such file");
	json_setf(out, "name: %s, type: %s", m->files[i]->name, m->files[i]->type);
	members_set_bytes(out, "base64", m->files[i]->data, m->files[i]->len);
	return 0;
}
