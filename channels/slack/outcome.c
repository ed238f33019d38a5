#include "channels/slack/outcome.h"

#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/mem.h"

/* Waited when a 429 does not say how long. */
#define RETRY_DEFAULT_MS 30000
/* A Retry-After beyond a day is not believed. */
#define RETRY_MAX_MS (24ULL * 3600 * 1000)

struct rule {
	const char *word;
	enum slack_outcome_class class;
	enum error_kind kind;
	const char *meaning;
};

#define NEW_BOT_TOKEN "reinstall the app and put its new token into the configuration"

/* Sorted by word. */
static const struct rule rules[] = {
    {"access_denied", SLACK_BAD_TOKEN, ERROR_REFUSED, "the token may not be used here"},
    {"account_inactive", SLACK_BAD_TOKEN, ERROR_REFUSED,
	"the app was removed from the workspace: " NEW_BOT_TOKEN},
    {"already_reacted", SLACK_ALREADY_DONE, ERROR_NONE, "the reaction is there already"},
    {"app_missing_action_url", SLACK_REFUSED, ERROR_REFUSED, "switch interactivity on in the app's settings"},
    {"cannot_reply_to_message", SLACK_NO_THREAD, ERROR_REFUSED, "nobody can answer this message in a thread"},
    {"cant_delete_message", SLACK_MESSAGE_GONE, ERROR_REFUSED, "the message must not be deleted"},
    {"cant_update_message", SLACK_MESSAGE_GONE, ERROR_REFUSED, "the message must not be changed"},
    {"channel_not_found", SLACK_CHAT_UNREACHABLE, ERROR_REFUSED,
	"the app knows no such conversation: invite it with /invite, or check the id"},
    {"channel_type_not_supported", SLACK_NO_METHOD, ERROR_REFUSED,
	"this kind of conversation takes no streams"},
    {"edit_window_closed", SLACK_MESSAGE_GONE, ERROR_REFUSED, "the message can no longer be changed"},
    {"ekm_access_denied", SLACK_CHAT_UNREACHABLE, ERROR_REFUSED,
	"an administrator has stopped messages there"},
    {"fatal_error", SLACK_SERVER_ERROR, ERROR_NETWORK, "Slack is in trouble"},
    {"feature_not_enabled", SLACK_NO_METHOD, ERROR_REFUSED, "the workspace does not have this feature"},
    {"internal_error", SLACK_SERVER_ERROR, ERROR_NETWORK, "Slack is in trouble"},
    {"invalid_auth", SLACK_BAD_TOKEN, ERROR_REFUSED,
	"Slack does not know the token: copy it again from the app's settings"},
    {"invalid_blocks", SLACK_BAD_MARKUP, ERROR_REFUSED, "Slack did not understand the blocks"},
    {"invalid_blocks_format", SLACK_BAD_MARKUP, ERROR_REFUSED, "Slack did not understand the blocks"},
    {"invalid_chunks", SLACK_BAD_MARKUP, ERROR_REFUSED, "Slack did not understand a piece of the stream"},
    {"invalid_thread_ts", SLACK_NO_THREAD, ERROR_REFUSED, "there is no such thread"},
    {"is_archived", SLACK_CHAT_UNREACHABLE, ERROR_REFUSED, "the channel is archived"},
    {"is_inactive", SLACK_MESSAGE_GONE, ERROR_REFUSED, "the message can no longer be changed"},
    {"markdown_text_conflict", SLACK_BAD_MARKUP, ERROR_REFUSED, "Slack did not take the Markdown"},
    {"message_limit_exceeded", SLACK_RATE_LIMITED, ERROR_LIMITED, "Slack asks for a pause"},
    {"message_not_found", SLACK_MESSAGE_GONE, ERROR_REFUSED, "the message is gone"},
    {"message_not_in_streaming_state", SLACK_NO_STREAM, ERROR_REFUSED, "the stream has ended"},
    {"message_not_owned_by_app", SLACK_MESSAGE_GONE, ERROR_REFUSED, "the message is not ours"},
    {"messages_tab_disabled", SLACK_CHAT_UNREACHABLE, ERROR_REFUSED,
	"the app takes no direct messages: allow them under \"App Home\", \"Messages Tab\""},
    {"method_not_supported_for_channel_type", SLACK_NO_METHOD, ERROR_REFUSED,
	"this kind of conversation does not have that"},
    {"missing_recipient_team_id", SLACK_NO_METHOD, ERROR_REFUSED,
	"a stream here needs to know for whom it is"},
    {"missing_recipient_user_id", SLACK_NO_METHOD, ERROR_REFUSED,
	"a stream here needs to know for whom it is"},
    {"missing_scope", SLACK_NO_SCOPE, ERROR_REFUSED, "the app lacks a scope"},
    {"msg_blocks_too_long", SLACK_TOO_LONG, ERROR_REFUSED, "the message is too long"},
    {"msg_too_long", SLACK_TOO_LONG, ERROR_REFUSED, "the message is too long"},
    {"no_permission", SLACK_NO_SCOPE, ERROR_REFUSED, "the app may not do that"},
    {"no_reaction", SLACK_ALREADY_DONE, ERROR_NONE, "the reaction is gone already"},
    {"no_text", SLACK_REFUSED, ERROR_REFUSED, "an empty message cannot be sent"},
    {"not_allowed_token_type", SLACK_BAD_TOKEN, ERROR_REFUSED,
	"this is a token of another kind: bot_token begins with xoxb-, app_token with xapp-"},
    {"not_authed", SLACK_BAD_TOKEN, ERROR_REFUSED, "Slack saw no token"},
    {"not_in_channel", SLACK_CHAT_UNREACHABLE, ERROR_REFUSED,
	"the app is not in the channel: invite it with /invite"},
    {"org_login_required", SLACK_BAD_TOKEN, ERROR_REFUSED,
	"the workspace has moved to an organisation: " NEW_BOT_TOKEN},
    {"posting_to_channel_denied", SLACK_CHAT_UNREACHABLE, ERROR_REFUSED, "the app may not write there"},
    {"rate_limited", SLACK_RATE_LIMITED, ERROR_LIMITED, "Slack asks for a pause"},
    {"ratelimited", SLACK_RATE_LIMITED, ERROR_LIMITED, "Slack asks for a pause"},
    {"request_timeout", SLACK_SERVER_ERROR, ERROR_NETWORK, "Slack is in trouble"},
    {"service_unavailable", SLACK_SERVER_ERROR, ERROR_NETWORK, "Slack is in trouble"},
    {"stopped_by_user", SLACK_STREAM_STOPPED, ERROR_REFUSED, "a person has stopped the stream"},
    {"streaming_state_conflict", SLACK_STREAMING, ERROR_REFUSED, "the message is still being streamed"},
    {"team_access_not_granted", SLACK_BAD_TOKEN, ERROR_REFUSED,
	"the app may not enter the workspace: " NEW_BOT_TOKEN},
    {"team_added_to_org", SLACK_SERVER_ERROR, ERROR_NETWORK, "the workspace moves to an organisation"},
    {"team_not_found", SLACK_NO_METHOD, ERROR_REFUSED, "the person is of another workspace"},
    {"thread_not_found", SLACK_NO_THREAD, ERROR_REFUSED, "there is no such thread"},
    {"token_expired", SLACK_BAD_TOKEN, ERROR_REFUSED, "the token has expired: " NEW_BOT_TOKEN},
    {"token_revoked", SLACK_BAD_TOKEN, ERROR_REFUSED, "the token was revoked: " NEW_BOT_TOKEN},
    {"two_factor_setup_required", SLACK_BAD_TOKEN, ERROR_REFUSED, "the account needs a second factor"},
    {"unknown_method", SLACK_NO_METHOD, ERROR_REFUSED, "Slack knows no such method"},
    {"user_disabled", SLACK_CHAT_UNREACHABLE, ERROR_REFUSED, "the person's account is closed"},
    {"user_not_found", SLACK_CHAT_UNREACHABLE, ERROR_REFUSED, "there is no such person in the workspace"},
    {"user_removed_from_team", SLACK_BAD_TOKEN, ERROR_REFUSED,
	"the bot was removed from the workspace: " NEW_BOT_TOKEN},
};
static const struct rule restricted = {
    NULL, SLACK_CHAT_UNREACHABLE, ERROR_REFUSED, "the rules of the channel do not let the app write there"};
static const struct rule refused = {NULL, SLACK_REFUSED, ERROR_REFUSED, "Slack refused it"};
static const struct rule trouble = {NULL, SLACK_SERVER_ERROR, ERROR_NETWORK, "Slack is in trouble"};
static const struct rule limited = {NULL, SLACK_RATE_LIMITED, ERROR_LIMITED, "Slack asks for a pause"};

static int compare(const void *word, const void *rule)
{
	return strcmp(word, ((const struct rule *)rule)->word);
}

static const struct rule *find_rule(int status, const char *word)
{
	const struct rule *r;

	if (status == 429)
		return &limited;
	if (!word || status >= 500)
		return &trouble;
	r = bsearch(word, rules, ARRAY_LEN(rules), sizeof(rules[0]), compare);
	if (!r && strncmp(word, "restricted_action", strlen("restricted_action")) == 0)
		r = &restricted;
	return r ? r : &refused;
}

static uint64_t retry_ms(uint64_t header_ms)
{
	if (header_ms == 0)
		return RETRY_DEFAULT_MS;
	return header_ms < RETRY_MAX_MS ? header_ms : RETRY_MAX_MS;
}

/* "(missing_scope: needs files:read)" */
static void explain(struct slack_outcome *out, const struct rule *r, int status, struct json_object *reply)
{
	const char *needed = json_get_str(reply, "needed");

	if (needed)
		error_set(&out->why, r->kind,
		    "%s: add %.80s under \"OAuth & Permissions\", and install the app again (%s)", r->meaning,
		    needed, out->word);
	else if (out->word[0] != '\0')
		error_set(&out->why, r->kind, "%s (%s)", r->meaning, out->word);
	else
		error_set(
		    &out->why, r->kind, "%s (%d, the answer is not one of the Web API)", r->meaning, status);
	out->why.code = status;
	out->why.retry_ms = out->retry_ms;
	out->why.uncertain = r->class == SLACK_SERVER_ERROR;
}

void slack_outcome_read(struct slack_outcome *out, int status, struct json_object *reply, uint64_t header_ms)
{
	struct json_object *ok = json_get(reply, "ok");
	bool is_api = ok && json_object_is_type(ok, json_type_boolean);
	const char *word = is_api ? json_get_str(reply, "error") : NULL;
	const struct rule *r;

	*out = (struct slack_outcome){.class = SLACK_OK};
	if (is_api && json_object_get_boolean(ok) && status != 429 && status < 500)
		return;
	if (word)
		str_copy(out->word, sizeof(out->word), word);
	r = find_rule(status, word);
	out->class = r->class;
	if (r->class == SLACK_RATE_LIMITED)
		out->retry_ms = retry_ms(header_ms);
	if (r->kind != ERROR_NONE)
		explain(out, r, status, reply);
}
