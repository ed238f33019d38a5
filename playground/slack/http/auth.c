#include "playground/slack/http/auth.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "net/server/server.h"
#include "playground/server/exchange.h"
#include "playground/slack/world/app.h"
#include "playground/slack/http/methods.h"
#include "playground/spec/spec.h"
#include "playground/slack/socket/socket.h"

#define TOKEN_MIN 9
#define TOKEN_MAX 255

/* All scopes that a token can have here. */
static const char *const scopes[] = {
    "app_mentions:read",
    "assistant:write",
    "channels:history",
    "channels:join",
    "channels:manage",
    "channels:read",
    "chat:write",
    "commands",
    "files:read",
    "files:write",
    "groups:history",
    "groups:read",
    "groups:write",
    "im:history",
    "im:read",
    "im:write",
    "mpim:history",
    "mpim:read",
    "mpim:write",
    "reactions:read",
    "reactions:write",
    "users:read",
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

/* Returns NULL, or the error. */
static const char *judge(const char *token)
{
	bool app = strncmp(token, "xapp-", 5) == 0, bot = strncmp(token, "xoxb-", 5) == 0;
	size_t len = strlen(token);

	if (!app && !bot && strncmp(token, "xoxp-", 5) != 0)
		return "invalid_auth";
	if (len < TOKEN_MIN || len > TOKEN_MAX)
		return "invalid_auth";
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)token[i]) && !strchr("-_.", token[i]))
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
	json_set_str(call->out, "needed", scope);
	json_set_str(call->out, "provided", provided.data);
	buf_clear(&provided);
	return slk_fail(call, "missing_scope");
}

/* Only bot tokens can be passed as the argument "token". */
static int check_token(struct slk_call *call, const char *token)
{
	bool want_app = spec_has(call->spec, "app_token");
	const char *scope = wanted_scope(call->spec), *error;

	if (!token || token[0] == '\0')
		return slk_fail(call, "not_authed");
	error = judge(token);
	if (error)
		return slk_fail(call, error);
	if (want_app != (strncmp(token, "xapp-", 5) == 0) || strncmp(token, "xoxp-", 5) == 0)
		return slk_refuse(call, "not_allowed_token_type", "%s wants %s token", call->spec->name,
		    want_app ? "an app-level" : "a bot");
	call->app = slk_app_of_token(call->world, token);
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
	json_set_str(call->out, "url", "https://playground.slack.com/");
	json_set_str(call->out, "team", "Playground");
	json_set_str(call->out, "user", call->app->name);
	json_set_str(call->out, "team_id", SLK_TEAM);
	json_set_str(call->out, "user_id", call->app->user_id);
	json_set_str(call->out, "bot_id", call->app->bot_id);
	json_set_bool(call->out, "is_enterprise_install", false);
	return 0;
}

int slk_api_test(struct slk_call *call)
{
	const char *error = json_get_str(call->params, "error");

	json_set(call->out, "args", json_object_get(call->params));
	return error ? slk_fail(call, error) : 0;
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
