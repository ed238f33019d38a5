/* What else a person does in the client, by the operation of Discord that the client uses. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "playground/discord/control/control.h"
#include "playground/discord/http/api.h"
#include "playground/discord/http/call.h"
#include "playground/world/given.h"

/* "chat" names the channel and so the guild; "guild" a guild alone. */
static int read_place(struct cord_world *w, struct json_object *in, struct cord_context *s,
    struct cord_guild **g, struct error *err)
{
	const char *user = members_string(in, "user");

	if (!user)
		return error_set(err, ERROR_OURS, "say which \"user\" acts");
	if (json_get(in, "chat")) {
		if (cord_context_read(w, in, true, s, err) != 0)
			return -1;
		*g = s->channel->guild;
	} else {
		*s = (struct cord_context){.bot = cord_bot_choose(w, members_string(in, "bot"))};
		if (!s->bot)
			return error_set(err, ERROR_OURS, "no bot with that id has appeared");
		if (cord_user_get(w, user, &s->user, err) != 0)
			return -1;
		*g = cord_guild_get(w, members_string(in, "guild"));
		if ((*g)->bot_count == 0)
			cord_guild_join(*g, s->bot);
	}
	return 0;
}

/* Writes the ids of what {bot}, {channel}, {guild} and {user} stand for. */
static int fill_ids(const char *text, const struct cord_context *s, const struct cord_guild *g,
    struct buf *out, struct error *err)
{
	const struct {
		const char *word;
		uint64_t id;
	} known[] = {{"{bot}", s->bot->id}, {"{channel}", s->channel ? s->channel->id : 0},
	    {"{guild}", g ? g->id : 0}, {"{user}", s->user->id}};

	while (*text != '\0') {
		size_t n = strcspn(text + 1, "{") + 1, i = 0;

		while (i < ARRAY_LEN(known) && strncmp(text, known[i].word, strlen(known[i].word)) != 0)
			i++;
		if (i < ARRAY_LEN(known) && known[i].id == 0)
			return error_set(err, ERROR_OURS, "%s stands for nothing here", known[i].word);
		if (i < ARRAY_LEN(known)) {
			buf_addf(out, "%" PRIu64, known[i].id);
			n = strlen(known[i].word);
		} else {
			buf_add(out, text, n);
		}
		text += n;
	}
	return 0;
}

/* A sentence says why the operation is not for people. */
static int find_operation(struct cord_call *call, const char *method, const char *path, struct error *err)
{
	bool known = cord_call_find(call, method, path);
	const char *other, *name;

	if (!call->route)
		return error_set(err, ERROR_OURS, "Discord has no %s %.200s", known ? method : "path", path);
	name = call->route->spec->name;
	if (cord_route_is_for_people(call->route, &other))
		return 0;
	if (!call->route->endpoint)
		return error_set(err, ERROR_OURS, "%s is not simulated by the playground", name);
	return other ? error_set(err, ERROR_OURS, "%s is for bots: people have /control/%s", name, other) :
		       error_set(err, ERROR_OURS, "%s is for bots alone", name);
}

/* A file is given as in "say"; the operation reads it as a part of a body. */
static int read_file(struct cord_call *call, char **data, struct error *err)
{
	const struct spec_record *r = call->route->spec->body->record;

	for (size_t i = 0; r && i < r->count; i++) {
		struct json_object *o = json_get_object(call->body, r->members[i].name), *part;
		struct given_file f;

		if (r->members[i].type->kind != SPEC_FILE || !o)
			continue;
		if (given_file_read(o, CORD_SENT_MAX, &f, err) != 0)
			return -1;
		part = json_newf("{filename: %s, bytes: %jd, at: 0}", f.name, (int64_t)f.len);
		json_set(call->body, r->members[i].name, part);
		free(*data);
		*data = f.data ? f.data : xcalloc(f.len + 1, 1);
		call->content = *data;
		call->errors.parts = true;
	}
	return 0;
}

/* The query of the path, and the body. */
static int read_request(struct cord_call *call, char *query, const char *body, char **data, struct error *err)
{
	const struct spec_type *takes = call->route->spec->body;

	call->query = json_object_new_object();
	if (form_read(call->query, query, strlen(query), NULL) != 0)
		return error_set(err, ERROR_OURS, "the query of the path cannot be read");
	if (!takes)
		return 0;
	if (body[0] != '\0')
		call->body = json_parse(body, strlen(body), err);
	else
		call->body = takes->kind == SPEC_LIST ? json_object_new_array() : json_object_new_object();
	if (!call->body)
		return -1;
	return read_file(call, data, err);
}

static void answer(struct cord_call *call, struct json_object *out)
{
	struct buf problems = BUF_INIT;
	int status;
	struct json_object *o = cord_answer_json(call, &status);

	json_set_int(out, "status", status);
	json_object_object_add(out, "answer", o);
	if (call->ex->problems.len > 0) {
		buf_addf(&problems, "[%s]", call->ex->problems.data);
		json_set(out, "problems", json_parse(problems.data, problems.len, NULL));
	}
	buf_clear(&problems);
}

int cord_control_operate(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	const char *method = json_get_str(in, "method"), *path = json_get_str(in, "path");
	struct json_object *given = json_get(in, "body");
	struct exchange ex = {.problems = BUF_INIT}; /* of no client */
	struct cord_call call = {.ex = &ex, .world = self, .scope = "user"};
	struct buf where = BUF_INIT, body = BUF_INIT;
	char *data = NULL, *query;
	struct cord_context s;
	struct cord_guild *g = NULL;
	int ret = -1;

	if (!method || !path)
		return error_set(err, ERROR_OURS,
		    "say which \"method\" on which \"path\", such as POST and /guilds/{guild}/roles");
	if (read_place(self, in, &s, &g, err) != 0 || fill_ids(path, &s, g, &where, err) != 0 ||
	    (given && fill_ids(json_object_to_json_string(given), &s, g, &body, err) != 0))
		goto done;
	query = strchr(where.data, '?');
	if (query)
		*query++ = '\0';
	if (find_operation(&call, method, where.data, err) != 0 ||
	    read_request(&call, query ? query : where.data + where.len, body.data, &data, err) != 0)
		goto done;
	call.user = s.user;
	call.reason = xstrdup(json_get_str(in, "reason"));
	cord_call_run(&call);
	answer(&call, out);
	ret = 0;
done:
	cord_call_clear(&call);
	buf_clear(&ex.problems);
	buf_clear(&where);
	buf_clear(&body);
	free(data);
	return ret;
}
