/* channels/slack/event: whatever comes over the socket, a message that is made of it is whole, and only ours
 * to answer where it says so. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/text/utf8.h"
#include "bus/command_menu.h"
#include "channels/slack/event.h"
#include "fuzz/fuzz.h"

static const struct slack_self self = {.team = "T1",
    .user = "UBOT",
    .bot = "BBOT",
    .app = "A1",
    .account = "slack:T1:UBOT",
    .channel = "main",
    .name = "myna"};
static const struct channel_command menu[] = {
    {.name = "stop", .help = ""}, {.name = "help", .help = ""}, {.name = NULL}};

static void hold_text(const char *text)
{
	HOLDS(!text || utf8_valid(text, strlen(text)));
}

static void check_message(const struct message *m)
{
	char text[ADDRESS_TEXT_MAX];
	struct address again;

	HOLDS(strcmp(m->account, self.account) == 0 && strcmp(m->from.channel, self.channel) == 0);
	HOLDS(m->event_id && m->event_id[0] != '\0' && m->sender_id && m->sender_id[0] != '\0');
	HOLDS(strcmp(m->sender_id, self.user) != 0 || m->kind == MESSAGE_JOINED);
	HOLDS(address_parse(address_format(&m->from, text), &again, NULL) == 0 &&
	    address_equal(&again, &m->from));
	HOLDS(strlen(m->text) <= SLACK_TEXT_MAX + 256);
	HOLDS(m->chat_kind != CHAT_PRIVATE || m->addressed);
	hold_text(m->event_id);
	hold_text(m->message_id);
	hold_text(m->sender_id);
	hold_text(m->sender_name);
	hold_text(m->chat_title);
	hold_text(m->reply_to);
	hold_text(m->reply_text);
	hold_text(m->reply_sender_name);
	hold_text(m->text);
}

/* A line says the envelope's type, what follows is its payload. */
void fuzz_slack_event(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);
	struct slack_event_context context = {
	    .self = &self, .thread_replies = true, .command = "/myna", .menu = menu};
	struct buf clean = BUF_INIT;
	struct message *m = NULL;
	size_t len;
	char *type = fuzz_until(&in, '\n', &len), *text = fuzz_rest(&in, &len);
	struct json_object *payload;

	fuzz_quiet_log();
	utf8_sanitize(&clean, text, len);
	payload = json_parse_object(clean.data, clean.len, NULL);
	if (payload && slack_event_read(type, payload, &context, &m) == SLACK_EVENT_MESSAGE) {
		HOLDS(m);
		check_message(m);
		message_free(m);
	} else {
		HOLDS(!m);
	}
	json_object_put(payload);
	buf_clear(&clean);
	free(type);
	free(text);
}

FUZZ_PROGRAM(fuzz_slack_event)
