#ifndef PLAYGROUND_SLACK_HTTP_METHOD_H
#define PLAYGROUND_SLACK_HTTP_METHOD_H
/* The Web API: its methods, and how a request becomes a call of one. */
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "net/server/server.h"
#include "playground/server/exchange.h"
#include "playground/server/form.h"
#include "playground/slack/http/rate_limit.h"
#include "playground/slack/world/app.h"
#include "playground/slack/world/conversation.h"
#include "playground/slack/world/message.h"
#include "playground/slack/world/world.h"
#include "playground/spec/spec.h"

/* The simulated Web API methods. The table says what arguments each has; they are judged before it runs. */

/* One request of an app. */
struct slk_call {
	struct exchange *ex;
	struct slk_world *world;
	struct slk_app *app;                     /* NULL: no token needed */
	const struct spec_record *spec;          /* the method's row; NULL: there is no such method */
	char *token;                             /* given as an argument; NULL: none */
	struct json_object *params;              /* judged: what is known has the types of the row */
	struct json_object *out;                 /* members of the response besides ok */
	struct json_object *messages, *warnings; /* of response_metadata; NULL: none */
	const char *error;                       /* a literal; NULL: none */
	unsigned retry_s;                        /* of error ratelimited */
};

/* Returns 0 with call->out, or -1 after slk_fail or slk_refuse. */
typedef int slk_method_fn(struct slk_call *call);

struct slk_method {
	const char *name;
	slk_method_fn *run;
};

/* By name (methods.awk); a row of NULLs ends them. */
extern const struct slk_method slk_methods[];
slk_method_fn *slk_method_find(const struct spec_record *spec); /* NULL if it is not simulated */

/* Judges the arguments by the method's row. Returns -1 after slk_refuse. */
int slk_params_judge(struct slk_call *call);

/* The playground's own error, answered with status 400. */
#define SLK_NOT_SIMULATED "not_simulated"

/* Fails a valid request because of the current state. error is a literal. Returns -1. */
int slk_fail(struct slk_call *call, const char *error);
/* Refuses an invalid request: the verdict is "refused" and the sentence goes into response_metadata. */
__attribute__((format(printf, 3, 4))) int slk_refuse(
    struct slk_call *call, const char *error, const char *fmt, ...);
void slk_warn(struct slk_call *call, const char *warning);
int slk_limited(struct slk_call *call, unsigned seconds);
/* Appends the answer, which --strict-answers judges. */
void slk_call_write(struct slk_call *call, struct buf *out);

/* Returns the conversation that the parameter names, if the app sees it; else fails and returns NULL. */
struct slk_conv *slk_call_conv(struct slk_call *call, const char *param);
/* The same if the app may write there; a user id means the direct message. */
struct slk_conv *slk_call_target(struct slk_call *call, const char *param);
/* Returns the message with the parameter's ts, or NULL after slk_fail with message_not_found. */
struct slk_message *slk_call_message(struct slk_call *call, const struct slk_conv *c, const char *param);
/* Checks thread_ts, the root of a thread. Sets *thread, 0 for none. */
int slk_call_thread(struct slk_call *call, const struct slk_conv *c, int64_t *thread);
/* Returns the ids that the parameter lists, as an array or between commas; the caller owns it. NULL: it is
 * not given. */
struct json_object *slk_call_list(struct slk_call *call, const char *param);
/* Computes the page of a list of count entries from limit and cursor. Sets next_cursor. */
int slk_call_page(struct slk_call *call, size_t count, int64_t most, size_t *from, size_t *to);
/* Answers with the page of all (taken) as that member. */
int slk_call_answer_page(struct slk_call *call, struct json_object *all, int64_t most, const char *member);

/* The functions of the simulated methods, each in a file of its own group. */

slk_method_fn slk_agents_sessions_rename, slk_agents_sessions_set_status, slk_api_test,
    slk_apps_connections_open, slk_apps_event_authorizations_list, slk_assistant_search_info,
    slk_assistant_threads_set_status, slk_assistant_threads_set_suggested_prompts,
    slk_assistant_threads_set_title, slk_auth_revoke, slk_auth_teams_list, slk_auth_test, slk_bookmarks_add,
    slk_bookmarks_edit, slk_bookmarks_list, slk_bookmarks_remove, slk_bots_info, slk_calls_add, slk_calls_end,
    slk_calls_info, slk_calls_participants_add, slk_calls_participants_remove, slk_calls_update,
    slk_chat_append_stream, slk_chat_delete, slk_chat_delete_scheduled_message, slk_chat_get_permalink,
    slk_chat_me_message, slk_chat_post_ephemeral, slk_chat_post_message, slk_chat_schedule_message,
    slk_chat_scheduled_messages_list, slk_chat_start_stream, slk_chat_stop_stream, slk_chat_unfurl,
    slk_chat_update, slk_conversations_archive, slk_conversations_close, slk_conversations_create,
    slk_conversations_history, slk_conversations_info, slk_conversations_invite, slk_conversations_join,
    slk_conversations_kick, slk_conversations_leave, slk_conversations_list, slk_conversations_mark,
    slk_conversations_members, slk_conversations_open, slk_conversations_rename, slk_conversations_replies,
    slk_conversations_set_purpose, slk_conversations_set_topic, slk_conversations_unarchive, slk_dnd_info,
    slk_dnd_team_info, slk_emoji_list, slk_files_complete_upload_external, slk_files_delete,
    slk_files_get_upload_url, slk_files_info, slk_files_list, slk_files_remote_add, slk_files_remote_info,
    slk_files_remote_list, slk_files_remote_remove, slk_files_remote_share, slk_files_remote_update,
    slk_files_upload, slk_pins_add, slk_pins_list, slk_pins_remove, slk_reactions_add, slk_reactions_get,
    slk_reactions_list, slk_reactions_remove, slk_team_info, slk_team_preferences_list, slk_team_profile_get,
    slk_usergroups_create, slk_usergroups_disable, slk_usergroups_enable, slk_usergroups_list,
    slk_usergroups_update, slk_usergroups_users_list, slk_usergroups_users_update, slk_users_conversations,
    slk_users_get_presence, slk_users_info, slk_users_list, slk_users_lookup_by_email, slk_users_profile_get,
    slk_users_set_active, slk_users_set_presence, slk_views_open, slk_views_publish, slk_views_push,
    slk_views_update;

/* Checks tokens: any well-formed token belongs to an app. One that contains "revoked", "expired" or
 * "inactive" gets that error. */

/* Finds the app of the call's token and checks token type and scope. */
int slk_auth_check(struct slk_call *call);
/* Appends the granted scopes, comma-separated. */
void slk_auth_scopes(struct slk_world *w, struct buf *out);
/* Checks the scope that the method wants for that kind of conversation (enum slk_kind); one of several will
 * do. Returns -1 after slk_fail. */
int slk_auth_check_kind(struct slk_call *call, int kind);
/* Returns the app of a request's bearer token outside of methods, or NULL if it is invalid. */
struct slk_app *slk_auth_bearer(struct slk_world *w, struct exchange *ex);

/* Reads the arguments of a call: query, form or JSON, by Content-Type (docs.slack.dev/apis/web-api). */

/* Fills call->params. Returns -1 after slk_refuse. */
int slk_arguments_read(struct slk_call *call);

/* Serves everything below /slack/: api/METHOD, link (Socket Mode), files, uploads, response_urls. */

/* As in struct platform. */
bool slk_api_has_method(const char *name);
void slk_api_serve(struct task *t, void *world, struct server_request *req);

/* Serves file contents: uploads to the URL of files.getUploadURLExternal, downloads of url_private. */

void slk_transfer_upload(struct slk_world *w, struct exchange *ex, const char *path);
/* Without a valid bearer token the response is a login page with status 200. */
void slk_transfer_download(struct slk_world *w, struct exchange *ex, const char *path);
/* The redirect target of a download: needs no token. */
void slk_transfer_cdn(struct slk_world *w, struct exchange *ex, const char *path);

#endif
