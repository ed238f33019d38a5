#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "playground/slack/world/world_internal.h"

static const struct {
	const char *entity;
	char c;
} entities[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}};

static void escape(struct buf *out, char c)
{
	for (size_t i = 0; i < ARRAY_LEN(entities); i++) {
		if (entities[i].c == c) {
			buf_addstr(out, entities[i].entity);
			return;
		}
	}
	buf_addch(out, c);
}

/* Returns the id for @name; NULL when nobody has that name. */
static const char *id_of(const struct slk_world *w, const char *name)
{
	const struct slk_app *a = slk_app_find(w, name);
	const struct slk_user *u = !a ? slk_find_user(w, name) : NULL;

	return a ? a->user_id : u ? u->id : NULL;
}

/* Returns the length of the @name at s if it mentions somebody; else 0. */
static size_t read_mention(const struct slk_world *w, const char *s, struct buf *out)
{
	static const char *const all[] = {"channel", "everyone", "here"};
	size_t len = 0;
	const char *id;
	char *name;

	while (isalnum((unsigned char)s[1 + len]) || s[1 + len] == '_' || s[1 + len] == '-')
		len++;
	if (len == 0)
		return 0;
	name = xstrndup(s + 1, len);
	id = id_of(w, name);
	if (id)
		buf_addf(out, "<@%s>", id);
	for (size_t i = 0; !id && i < ARRAY_LEN(all); i++) {
		if (strcmp(name, all[i]) == 0) {
			id = all[i];
			buf_addf(out, "<!%s>", id);
		}
	}
	json_each(w->usergroups, o) {
		if (!id && strcmp(name, json_get_str(o, "handle")) == 0) {
			id = json_get_str(o, "id");
			buf_addf(out, "<!subteam^%s>", id);
		}
	}
	free(name);
	return id ? len + 1 : 0;
}

void slk_text_typed(const struct slk_world *w, const char *typed, struct buf *out)
{
	bool code = false;
	char before = ' ';

	while (*typed != '\0') {
		size_t n = *typed == '@' && !code && !isalnum((unsigned char)before) ?
		    read_mention(w, typed, out) :
		    0;

		code ^= *typed == '`';
		before = *typed;
		if (n == 0)
			escape(out, *typed);
		typed += n > 0 ? n : 1;
	}
}

static const char *handle_of(const struct slk_world *w, const char *usergroup)
{
	struct json_object *o = slk_by_id(w->usergroups, usergroup);

	return o ? json_get_str(o, "handle") : usergroup;
}

/* Reads what is between < and >. */
static void see_link(const struct slk_world *w, const char *s, size_t len, struct buf *out)
{
	const char *bar = memchr(s, '|', len);
	size_t id_len = bar ? (size_t)(bar - s) : len;
	char *id = id_len > 0 ? xstrndup(s + 1, id_len - 1) : xstrdup("");
	const struct slk_user *u = slk_find_user(w, id);
	const struct slk_app *a = slk_app_find(w, id);
	const struct slk_conv *c = slk_conv_find(w, id);

	if (s[0] == '@')
		buf_addf(out, "@%s", u ? u->name : a ? a->name : id);
	else if (s[0] == '#')
		buf_addf(out, "#%s", c && c->name ? c->name : id);
	else if (strncmp(s, "!subteam^", 9) == 0)
		buf_addf(out, "@%s", handle_of(w, id + 8));
	else if (s[0] == '!')
		buf_addf(out, "@%s", id);
	else if (bar)
		buf_add(out, bar + 1, len - id_len - 1);
	else
		buf_add(out, s, len);
	free(id);
}

void slk_text_seen(const struct slk_world *w, const char *text, struct buf *out)
{
	while (*text != '\0') {
		const char *end = *text == '<' ? strchr(text, '>') : NULL;
		size_t i = 0;

		if (end && end > text + 1) {
			see_link(w, text + 1, (size_t)(end - text - 1), out);
			text = end + 1;
			continue;
		}
		while (i < ARRAY_LEN(entities) &&
		    strncmp(text, entities[i].entity, strlen(entities[i].entity)) != 0)
			i++;
		buf_addch(out, i < ARRAY_LEN(entities) ? entities[i].c : *text);
		text += i < ARRAY_LEN(entities) ? strlen(entities[i].entity) : 1;
	}
}
