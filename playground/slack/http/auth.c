#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "playground/slack/http/method.h"
#include "playground/slack/socket/event.h"
#include "playground/slack/socket/socket.h"

#define TOKEN_MIN 9
#define TOKEN_MAX 255

/* All scopes that a token can have here. */
static const char *const scopes[] = {
    "app_mentions:read",
    "assistant:write",
    "bookmarks:read",
    "bookmarks:write",
    "calls:read",
    "calls:write",
    "channels:history",
    "channels:join",
    "channels:manage",
    "channels:read",
    "chat:write",
    "commands",
    "dnd:read",
    "emoji:read",
    "files:read",
    "files:write",
    "groups:history",
    "groups:read",
    "groups:write",
    "im:history",
    "im:read",
    "im:write",
    "links:read",
    "links:write",
    "mpim:history",
    "mpim:read",
    "mpim:write",
    "pins:read",
    "pins:write",
    "reactions:read",
    "reactions:write",
    "remote_files:read",
    "remote_files:share",
    "remote_files:write",
    "search:read.public",
    "team.preferences:read",
    "team:read",
    "usergroups:read",
    "usergroups:write",
    "users.profile:read",
    "users:read",
    "users:read.email",
    "users:write",
};

static const struct {
	const char *part, *bot_error, *app_error;
} dead[] = {
    {"expired", "token_expired", "token_expired"},
    {"inactive", "account_inactive", "account_inactive"},
    {"revoked", "token_revoked", "invalid_auth"},
};

static const char *bearer(struct exchange *ex)
{
	const char *value = server_header(ex->req, "authorization");

	if (!value || strncasecmp(value, "Bearer ", 7) != 0)
		return NULL;
	for (value += 7; *value == ' '; value++)
		;
	return value;
}

static bool is_well_formed(const char *token)
{
	size_t len = strlen(token);

	if (strncmp(token, "xapp-", 5) != 0 && strncmp(token, "xoxb-", 5) != 0 &&
	    strncmp(token, "xoxp-", 5) != 0)
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)token[i]) && !strchr("-_.", token[i]))
			return false;
	return len >= TOKEN_MIN && len <= TOKEN_MAX;
}

/* Returns NULL, or the error. */
static const char *judge(const char *token)
{
	bool app = strncmp(token, "xapp-", 5) == 0;

	if (!is_well_formed(token))
		return "invalid_auth";
	for (size_t i = 0; i < ARRAY_LEN(dead); i++)
		if (strstr(token, dead[i].part))
			return app ? dead[i].app_error : dead[i].bot_error;
	return NULL;
}

struct slk_app *slk_auth_bearer(struct slk_world *w, struct exchange *ex)
{
	const char *token = bearer(ex);

	return token && strncmp(token, "xoxb-", 5) == 0 && !judge(token) ? slk_app_of_token(w, token) : NULL;
}

void slk_auth_scopes(struct slk_world *w, struct buf *out)
{
	size_t before = out->len;

	for (size_t i = 0; i < ARRAY_LEN(scopes); i++)
		if (slk_settings_scope(&w->set, scopes[i]))
			buf_addf(out, "%s%s", out->len > before ? "," : "", scopes[i]);
}

/* The scope that a call wants in any case; where several kinds of conversations have one each, the method
 * asks. */
static const char *wanted_scope(const struct spec_record *spec)
{
	const char *one = spec_value(spec, "scope"), *all = spec_value(spec, "scopes");

	return one ? one : all && !strchr(all, ',') ? all : NULL;
}

static int fail_scope(struct slk_call *call, const char *scope)
{
	struct buf provided = BUF_INIT;

	slk_auth_scopes(call->world, &provided);
	json_setf(call->out, "needed: %s, provided: %s", scope, provided.data);
	buf_clear(&provided);
	return slk_fail(call, "missing_scope");
}

/* Is it the scope of a bot token here, and not missing? */
static bool has_scope(struct slk_world *w, const char *scope)
{
	for (size_t i = 0; i < ARRAY_LEN(scopes); i++)
		if (strcmp(scopes[i], scope) == 0)
			return slk_settings_scope(&w->set, scope);
	return false;
}

int slk_auth_check_kind(struct slk_call *call, int kind)
{
	static const char *const families[] = {
	    [SLK_IM] = "im:", [SLK_MPIM] = "mpim:", [SLK_PRIVATE] = "groups:", [SLK_PUBLIC] = "channels:"};
	const char *list = spec_value(call->spec, "scopes"), *family = families[kind];
	char *copy = xstrdup(list ? list : ""), *at = copy, *one, *needed = NULL;
	bool has = false;
	int ret = 0;

	while (!has && (one = strsep(&at, ","))) {
		if (strncmp(one, family, strlen(family)) != 0)
			continue;
		has = has_scope(call->world, one);
		needed = needed ? needed : one;
	}
	if (!has && needed)
		ret = fail_scope(call, needed);
	free(copy);
	return ret;
}

/* Only bot tokens can be passed as the argument "token". */
static int check_token(struct slk_call *call, const char *token)
{
	bool want_app = spec_has(call->spec, "app_token");
	const char *scope = wanted_scope(call->spec), *error;

	if (!token || token[0] == '\0')
		return slk_fail(call, "not_authed");
	error = judge(token);
	if (!is_well_formed(token))
		exchange_problem(
		    call->ex, "%s: a token looks like xoxb-1-2-NAME, or xapp-1-A1-2-NAME", error);
	if (error)
		return slk_fail(call, error);
	if (strncmp(token, "xoxp-", 5) == 0)
		return slk_refuse(call, SLK_NOT_SIMULATED, "the tokens of users are not simulated");
	if (want_app != (strncmp(token, "xapp-", 5) == 0) || spec_has(call->spec, "user_token"))
		return slk_refuse(call, "not_allowed_token_type", "%s wants %s token", call->spec->name,
		    spec_has(call->spec, "user_token") ? "a user's" :
			want_app                       ? "an app-level" :
							 "a bot");
	call->app = slk_app_of_token(call->world, token);
	if (call->app->revoked && !want_app)
		return slk_fail(call, "token_revoked");
	if (scope && !slk_settings_scope(&call->world->set, scope))
		return fail_scope(call, scope);
	return 0;
}

int slk_auth_check(struct slk_call *call)
{
	const char *token = bearer(call->ex);

	if (spec_has(call->spec, "no_token"))
		return 0;
	if (!token && !spec_has(call->spec, "app_token"))
		token = call->token;
	return check_token(call, token);
}

int slk_auth_test(struct slk_call *call)
{
	json_setf(call->out,
	    "url: 'https://playground.slack.com/', team: 'Playground', user: %s, team_id: %s, user_id: %s, "
	    "bot_id: %s, is_enterprise_install: false",
	    call->app->name, SLK_TEAM, call->app->user_id, call->app->bot_id);
	return 0;
}

/* Revokes the token until the playground is reset. */
int slk_auth_revoke(struct slk_call *call)
{
	bool test = json_get_bool(call->params, "test", false);

	json_set_bool(call->out, "revoked", !test);
	if (!test)
		slk_app_revoke(call->app);
	return 0;
}

int slk_auth_teams_list(struct slk_call *call)
{
	struct json_object *teams = json_object_new_array(), *team = json_object_new_object();
	size_t from, to;

	json_setf(team, "id: %s, name: 'Playground'", SLK_TEAM);
	if (slk_call_page(call, 1, 1000, &from, &to) == 0 && from < to)
		json_object_array_add(teams, json_object_get(team));
	json_set(call->out, "teams", teams);
	json_object_put(team);
	return call->error ? -1 : 0;
}

int slk_api_test(struct slk_call *call)
{
	const char *error = json_get_str(call->params, "error");

	json_set(call->out, "args", json_object_get(call->params));
	return error ? slk_fail(call, error) : 0;
}

/* Of an event, by its event_context: all have the same here. */
int slk_apps_event_authorizations_list(struct slk_call *call)
{
	struct json_object *list;

	if (strcmp(json_get_str(call->params, "event_context"), SLK_EVENT_CONTEXT) != 0)
		return slk_fail(call, "invalid_event_context");
	list = json_object_new_array();
	json_object_array_add(list,
	    json_newf("{team_id: %s, user_id: %s, is_bot: true, is_enterprise_install: false}", SLK_TEAM,
		call->app->user_id));
	json_set(call->out, "authorizations", list);
	return 0;
}

int slk_apps_connections_open(struct slk_call *call)
{
	struct slk_ticket *ticket = slk_ticket_new(call->app);
	char *url = xasprintf("ws%slink/?ticket=%s&app_id=%s", call->world->base + strlen("http"),
	    ticket->secret, call->app->app_id);

	json_set_str(call->out, "url", url);
	free(url);
	return 0;
}
