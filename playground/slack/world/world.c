#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "playground/slack/world/world_internal.h"
#include "playground/spec/spec.h"

#define NAME_MAX_LEN 64

uint64_t slk_hash(const char *text)
{
	uint64_t h = 0xcbf29ce484222325u; /* FNV-1a */

	for (; *text != '\0'; text++)
		h = (h ^ (unsigned char)*text) * 0x100000001b3u;
	return h ^ h >> 32;
}

bool slk_is_id(const char *text, const char *letters)
{
	if (!text || text[0] == '\0' || !strchr(letters, text[0]) || text[1] == '\0' ||
	    strlen(text) >= SLK_ID_SIZE)
		return false;
	for (text++; *text != '\0'; text++)
		if (!isupper((unsigned char)*text) && !isdigit((unsigned char)*text))
			return false;
	return true;
}

static void write_id(char out[SLK_ID_SIZE], char letter, uint64_t n)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

	out[0] = letter;
	out[1] = '0';
	for (size_t i = 2; i < 11; i++, n /= 36)
		out[i] = digits[n % 36];
	out[11] = '\0';
}

void slk_make_id(char out[SLK_ID_SIZE], char letter, const char *name)
{
	write_id(out, letter, slk_hash(name));
}

void slk_new_id(struct slk_world *w, char out[SLK_ID_SIZE], char letter)
{
	write_id(out, letter, ((uint64_t)clock_wall() << 16) + ++w->last_number);
}

int64_t slk_new_ts(struct slk_world *w)
{
	int64_t now = clock_wall_us();

	w->last_ts = now > w->last_ts ? now : w->last_ts + 1;
	return w->last_ts;
}

void slk_write_ts(int64_t ts, char out[SLK_ID_SIZE])
{
	snprintf(out, SLK_ID_SIZE, "%" PRId64 ".%06d", ts / 1000000, (int)(ts % 1000000));
}

bool slk_read_ts(const char *text, int64_t *ts)
{
	size_t whole = text ? strspn(text, "0123456789") : 0;
	char *end;

	if (whole == 0 || whole > 12 || text[whole] != '.' || strspn(text + whole + 1, "0123456789") != 6 ||
	    text[whole + 7] != '\0')
		return false;
	*ts = strtoll(text, &end, 10) * 1000000 + strtoll(end + 1, NULL, 10);
	return true;
}

/* Registers the user by id and by name. */
static void know_user(struct slk_world *w, struct slk_user *u)
{
	map_put(&w->by_id, (int64_t)slk_hash(u->id), 0, u);
	map_put(&w->by_id, (int64_t)slk_hash(u->name), 'u', u);
}

struct slk_user *slk_find_user(const struct slk_world *w, const char *id_or_name)
{
	uint64_t h = slk_hash(id_or_name);
	struct slk_user *u = slk_is_id(id_or_name, "UW") ? map_get(&w->by_id, (int64_t)h, 0) : NULL;

	return u ? u : map_get(&w->by_id, (int64_t)h, 'u');
}

struct slk_user *slk_get_user(struct slk_world *w, const char *id_or_name, struct error *err)
{
	size_t len = id_or_name ? strlen(id_or_name) : 0;
	struct slk_user *u;

	if (len == 0 || len > NAME_MAX_LEN) {
		error_set(err, ERROR_OURS, "a user is an id or a name of at most %d bytes", NAME_MAX_LEN);
		return NULL;
	}
	u = slk_find_user(w, id_or_name);
	if (u)
		return u;
	u = xcalloc(1, sizeof(*u));
	if (slk_is_id(id_or_name, "UW"))
		str_copy(u->id, sizeof(u->id), id_or_name);
	else
		slk_make_id(u->id, 'U', id_or_name);
	u->name = xstrdup(id_or_name);
	list_append(&w->users, &u->link);
	know_user(w, u);
	return u;
}

void slk_rename_user(struct slk_world *w, struct slk_user *u, const char *name)
{
	char *copy = xstrdup(name);

	free(u->name);
	u->name = copy;
	know_user(w, u);
}

struct json_object *slk_user_json(const struct slk_user *u)
{
	struct json_object *o = json_object_new_object(), *profile = json_object_new_object();

	json_setf(o,
	    "id: %s, team_id: %s, name: %s, deleted: %i, real_name: %s, color: '9f69e7', tz: 'Etc/UTC', "
	    "tz_label: 'Coordinated Universal Time'",
	    u->id, SLK_TEAM, u->name, u->disabled, u->name);
	json_setf(profile,
	    "real_name: %s, real_name_normalized: %s, display_name: %s, display_name_normalized: %s, team: "
	    "%s",
	    u->name, u->name, u->name, u->name, SLK_TEAM);
	json_setf(o, "profile: %p, updated: %jd", profile, clock_wall() / 1000);
	spec_fill(spec_type(spec_of("slack"), "user"), o);
	return o;
}

struct json_object *slk_by_id(struct json_object *list, const char *id)
{
	json_each(list, o)
		if (strcmp(json_get_str(o, "id"), id) == 0)
			return o;
	return NULL;
}

/* docs.slack.dev/reference/methods/dnd.teamInfo: who has no schedule has 1 for its times. */
struct json_object *slk_dnd_json(const struct slk_user *u)
{
	return json_newf("{dnd_enabled: %i, next_dnd_start_ts: 1, next_dnd_end_ts: 1}",
	    u && u->snooze_until > clock_wall() / 1000);
}

void slk_user_email(const struct slk_user *u, char out[SLK_EMAIL_SIZE])
{
	size_t n = 0;

	for (const char *s = u->name; *s != '\0' && n < NAME_MAX_LEN; s++)
		out[n++] = isalnum((unsigned char)*s) ? (char)tolower((unsigned char)*s) : '.';
	snprintf(out + n, SLK_EMAIL_SIZE - n, "@" SLK_EMAIL_DOMAIN);
}

void slk_world_forget(struct slk_world *w)
{
	slk_shares_clear(w);
	slk_scheduled_clear(w);
	slk_views_clear(w);
	slk_triggers_clear(w);
	json_object_put(w->emoji);
	json_object_put(w->usergroups);
	json_object_put(w->calls);
	w->emoji = w->usergroups = w->calls = NULL;
	list_each_entry(&w->convs, struct slk_conv, c, link)
		slk_conv_free(c);
	list_each_entry(&w->files, struct slk_file, entry, link)
		slk_file_free(entry);
	list_each_entry(&w->hooks, struct slk_response_url, each, link)
		slk_response_url_free(each);
	list_each_entry(&w->users, struct slk_user, u, link) {
		list_remove(&u->link);
		json_object_put(u->offered);
		free(u->name);
		free(u);
	}
	map_clear(&w->by_id);
}
