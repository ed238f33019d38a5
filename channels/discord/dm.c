#include "channels/discord/dm.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "channels/discord/cache.h"
#include "channels/discord/api.h"
#include "channels/discord/discord_internal.h"

void discord_dms_read(struct discord_dms *dms, const char *text)
{
	char id[24];

	dms->count = 0;
	while (text && *text != '\0') {
		size_t n = strcspn(text, " ");

		snprintf(id, sizeof(id), "%.*s", (int)(n < sizeof(id) ? n : sizeof(id) - 1), text);
		if (discord_id_parse(id) != 0)
			discord_dms_add(dms, discord_id_parse(id));
		text += n + (text[n] == ' ');
	}
}

char *discord_dms_text(const struct discord_dms *dms)
{
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < dms->count; i++)
		buf_addf(&out, "%s%" PRIu64, i > 0 ? " " : "", dms->ids[i]);
	return buf_take(&out);
}

bool discord_dms_add(struct discord_dms *dms, uint64_t channel)
{
	for (size_t i = 0; i < dms->count; i++)
		if (dms->ids[i] == channel)
			return false;
	if (dms->count == DISCORD_DMS_MAX)
		memmove(dms->ids, dms->ids + 1, --dms->count * sizeof(*dms->ids));
	dms->ids[dms->count++] = channel;
	return true;
}

int discord_dm_open(struct task *t, struct discord *d, uint64_t user, uint64_t *channel, struct error *err)
{
	struct discord_call call = {
	    .method = "POST", .route = "/users/@me/channels", .path = "/users/@me/channels"};
	struct discord_answer a;
	char id[24];

	for (size_t i = 0; i < DISCORD_OPENED_MAX; i++) {
		if (d->dms.opened[i].user == user && user != 0) {
			*channel = d->dms.opened[i].channel;
			return 0;
		}
	}
	snprintf(id, sizeof(id), "%" PRIu64, user);
	call.params = json_object_new_object();
	json_set_str(call.params, "recipient_id", id);
	int rc = discord_api_call(t, d, &call, &a, err);
	*channel = discord_id_get(a.reply, "id");
	discord_api_clear(&a);
	if (rc == 0 && *channel == 0)
		rc = error_set(err, ERROR_NETWORK, "Discord returned no channel for a direct message");
	if (rc < 0) {
		/* Opening one shows nothing, and can be done again. */
		err->uncertain = false;
		return -1;
	}
	d->dms.opened[d->dms.next % DISCORD_OPENED_MAX].user = user;
	d->dms.opened[d->dms.next++ % DISCORD_OPENED_MAX].channel = *channel;
	return 0;
}
