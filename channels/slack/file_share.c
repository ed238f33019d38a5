#include "channels/slack/file_share.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "bus/channel.h"
#include "channels/slack/api.h"
#include "channels/slack/event.h"
#include "channels/slack/slack_internal.h"

/* Pauses between two looks: the first, and the longest. */
#define LOOK_MS     100
#define LOOK_MAX_MS 2000

/* {"public":{"C1":[{"ts":…}]},"private":{…}}; in direct messages the address may be a person, not the
 * conversation. */
static const char *ts_in(struct json_object *shares, const char *chat)
{
	json_object_object_foreach(shares, group, chats) {
		(void)group;
		if (!json_object_is_type(chats, json_type_object))
			continue;
		json_object_object_foreach(chats, id, list) {
			const char *ts;

			if (!strchr("UW", chat[0]) && strcmp(id, chat) != 0)
				continue;
			if (!json_object_is_type(list, json_type_array) ||
			    json_object_array_length(list) == 0)
				continue;
			ts = json_get_str(json_object_array_get_idx(list, 0), "ts");
			if (slack_event_is_ts(ts))
				return ts;
		}
	}
	return NULL;
}

/* As slack_file_share_wait, without a wait. */
static int look(
    struct task *t, struct slack *sk, const char *chat, const char *file, char **ts, struct error *err)
{
	struct slack_call call = {.method = "files.info", .total_ms = sk->limits->call_ms};
	struct json_object *shares;
	struct slack_answer a;
	int rc;

	if (rate_limit_wait(t, &sk->methods, call.method, RATE_LIMIT_REPLY, err) < 0)
		return -1;
	call.params = json_object_new_object();
	json_set_str(call.params, "file", file);
	rc = slack_api_call(t, sk, &call, &a, err);
	shares = json_get_object(json_get_object(a.reply, "file"), "shares");
	*ts = rc == 0 && shares ? xstrdup(ts_in(shares, chat)) : NULL;
	slack_api_clear(&a);
	return rc < 0 ? -1 : *ts != NULL;
}

int slack_file_share_wait(struct task *t, struct slack *sk, const struct outbound *delivery, const char *file,
    char **ts, struct error *err)
{
	uint64_t until = clock_now() + sk->limits->share_ms, wait_ms = LOOK_MS;
	int rc;

	while ((rc = look(t, sk, delivery->to.chat, file, ts, err)) == 0 && clock_now() < until) {
		if (task_sleep(t, wait_ms, err) < 0)
			return -1;
		wait_ms = 2 * wait_ms < LOOK_MAX_MS ? 2 * wait_ms : LOOK_MAX_MS;
	}
	return rc;
}

/* A new database counts its deliveries from 1 again. */
static void key_of(char key[64], const struct outbound *delivery)
{
	snprintf(key, 64, "%" PRId64 ":%" PRId64, delivery->id, delivery->created_ms);
}

void slack_file_share_note(struct slack *sk, const struct outbound *delivery, const char *file)
{
	char key[64];

	key_of(key, delivery);
	slack_recent_map_note(&sk->uploads, key, file);
}

bool slack_file_share_is_noted(const struct slack *sk, const struct outbound *delivery)
{
	char key[64];

	key_of(key, delivery);
	return slack_recent_map_get(&sk->uploads, key);
}

int slack_file_share_reconcile(
    struct task *t, struct slack *sk, const struct outbound *delivery, char **ts, struct error *err)
{
	const char *file;
	char key[64], id[40];
	int rc;

	key_of(key, delivery);
	file = slack_recent_map_get(&sk->uploads, key);
	if (!file || str_copy(id, sizeof(id), file) < 0)
		return CHANNEL_RECONCILED_UNKNOWN;
	rc = slack_file_share_wait(t, sk, delivery, id, ts, err);
	if (rc < 0)
		return -1;
	return rc == 1 ? CHANNEL_RECONCILED_SENT : CHANNEL_RECONCILED_NOT_SENT;
}
