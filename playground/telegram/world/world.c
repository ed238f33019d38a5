#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "playground/telegram/world/world_internal.h"

#define ID_BITS      52
#define NAME_MAX_LEN 64

bool world_read_id(const char *s, int64_t *out)
{
	char *end;

	if (!s || !isdigit((unsigned char)s[s[0] == '-']))
		return false;
	errno = 0;
	*out = strtoll(s, &end, 10);
	return *end == '\0' && errno == 0 && *out < (int64_t)1 << ID_BITS && *out > -((int64_t)1 << ID_BITS);
}

int64_t world_name_number(const char *name)
{
	uint64_t h = 0xcbf29ce484222325u; /* FNV-1a */

	for (; *name != '\0'; name++)
		h = (h ^ (unsigned char)tolower((unsigned char)*name)) * 0x100000001b3u;
	h ^= h >> 32;
	return (int64_t)(1000000000u + h % 4000000000u);
}

struct user *world_find_user(const struct world *w, int64_t id)
{
	return map_get(&w->users, id, 0);
}

static bool is_name(const char *s)
{
	size_t len = strlen(s);

	if (len == 0 || len > NAME_MAX_LEN)
		return false;
	for (; *s != '\0'; s++)
		if ((unsigned char)*s < ' ')
			return false;
	return true;
}

/* Returns the letters, digits and underscores of a name; NULL when nothing is left. */
static char *username_of(const char *label)
{
	struct buf b = BUF_INIT;
	char *name;

	for (; *label != '\0'; label++)
		if (isalnum((unsigned char)*label) || *label == '_')
			buf_addch(&b, (char)tolower((unsigned char)*label));
	name = b.len > 0 && !isdigit((unsigned char)b.data[0]) ? xstrndup(b.data, 32) : NULL;
	buf_clear(&b);
	return name;
}

struct user *world_find_person(const struct world *w, const char *name)
{
	int64_t id;

	return world_read_id(name, &id) ? world_find_user(w, id) :
					  map_get(&w->names, world_name_number(name), 0);
}

void world_name_user(struct world *w, struct user *u, const char *name)
{
	char *label = xstrdup(name);

	free(u->label);
	free(u->username);
	u->label = label;
	u->username = username_of(name);
	map_put(&w->names, world_name_number(name), 0, u);
}

struct user *world_new_user(struct world *w, int64_t id, const char *label)
{
	struct user *u = xcalloc(1, sizeof(*u));
	int64_t number;

	u->id = id;
	u->label = xstrdup(label);
	map_put(&w->users, id, 0, u);
	if (!world_read_id(label, &number))
		world_name_user(w, u, label);
	return u;
}

int world_get_user(struct world *w, const char *name, struct user **out, struct error *err)
{
	int64_t id;

	if (!name || !is_name(name))
		return error_set(err, ERROR_OURS, "a user is a positive number or a name of at most %d bytes",
		    NAME_MAX_LEN);
	*out = world_find_person(w, name);
	if (*out)
		return 0;
	if (!world_read_id(name, &id))
		id = world_name_number(name);
	if (id <= 0)
		return error_set(err, ERROR_OURS, "a user's id is positive");
	*out = world_find_user(w, id); /* the person whose private chat was opened by that name */
	if (!*out)
		*out = world_new_user(w, id, name);
	return 0;
}

void user_write(const struct user *u, struct buf *out)
{
	buf_addf(out, "{\"id\":%" PRId64 ",\"is_bot\":false,\"first_name\":", u->id);
	json_quote(out, u->label, strlen(u->label));
	if (u->username)
		buf_addf(out, ",\"username\":\"%s\"", u->username);
	buf_addstr(out, ",\"language_code\":\"en\"}");
}

void world_write_user(struct buf *out, int64_t id, void *arg)
{
	struct world *w = arg;
	struct user *u = world_find_user(w, id);
	struct bot *b = map_get(&w->bots, id, 0);

	if (u)
		user_write(u, out);
	else if (b)
		bot_write(b, out);
	else
		buf_addf(out, "{\"id\":%" PRId64 ",\"is_bot\":false,\"first_name\":\"\"}", id);
}

struct bot *world_choose_bot(struct world *w, const char *id, struct error *err)
{
	struct bot *b;
	int64_t number;

	if (id && id[0] != '\0') {
		b = world_read_id(id, &number) ? map_get(&w->bots, number, 0) : NULL;
		if (!b)
			error_set(err, ERROR_OURS, "no bot with id %.24s has appeared", id);
		return b;
	}
	if (list_is_empty(&w->bot_list))
		return bot_new(w, 0);
	return list_entry(w->bot_list.prev, struct bot, link);
}

struct bot *world_get_bot(struct world *w, int64_t id)
{
	struct bot *b = map_get(&w->bots, id, 0);
	struct list *first = list_first(&w->bot_list);

	if (b)
		return b;
	b = first ? list_entry(first, struct bot, link) : NULL;
	if (b && b->id == 0)
		bot_claim(b, id);
	else
		b = bot_new(w, id);
	return b;
}

static void free_users(struct world *w)
{
	size_t count;
	void **all = map_values(&w->users, &count);

	for (size_t i = 0; i < count; i++) {
		struct user *u = all[i];

		free(u->label);
		free(u->username);
		media_free(u->photo);
		free(u);
	}
	free(all);
	map_clear(&w->users);
	map_clear(&w->names);
}

void world_forget(struct world *w)
{
	list_each_entry(&w->chat_list, struct chat, c, link)
		chat_free(c);
	map_clear(&w->files);
	media_free(w->kept);
	w->kept = NULL;
	json_object_put(w->sets);
	w->sets = json_object_new_object();
	list_each_entry(&w->bot_list, struct bot, b, link) { /* which stay, with their photos */
		for (struct file *f = b->photo; f; f = f->replaced)
			map_put(&w->files, f->number, 0, f);
	}
	map_clear(&w->groups);
	map_clear(&w->privates);
	free_users(w);
}

void world_clear(struct world *w)
{
	world_forget(w);
	json_object_put(w->sets);
	list_each_entry(&w->bot_list, struct bot, b, link)
		bot_free(b);
	map_clear(&w->bots);
	map_clear(&w->files);
	w->bot_count = 0;
}
