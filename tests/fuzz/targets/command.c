/* The name and the arguments of a command, up to the check of the role. The dispatcher is asked for somebody
 * whom no command lets in, so that none runs. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/text/utf8.h"
#include "bus/message.h"
#include "fuzz/fuzz.h"
#include "session/commands/command.h"
#include "session/session_internal.h"

static const char blanks[] = " \t\r\n";

static const struct access_settings *nobody(void *arg, const char *channel)
{
	(void)arg;
	(void)channel;
	return NULL;
}

static void dispatch(char *text)
{
	struct sessions all = {.options.access = nobody};
	struct message asked = {.text = text, .sender_id = (char[]){"7"}};
	struct buf reply = BUF_INIT;
	struct command_call call = {.all = &all, .asked = &asked, .role = ACCESS_NONE, .reply = &reply};
	size_t word = strcspn(text, blanks);

	command_dispatch(NULL, &call);
	HOLDS(call.asked == &asked);
	HOLDS(reply.len > 0 && utf8_valid(reply.data, reply.len));
	HOLDS(strstr(reply.data, "There is no command /") == reply.data ||
	    strstr(reply.data, " is for admins.") || strstr(reply.data, " is not for guests."));
	HOLDS(call.args == text + word + strspn(text + word, blanks));
	buf_clear(&reply);
}

void fuzz_command(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);
	struct buf text = BUF_INIT;
	size_t len;
	char *given = fuzz_rest(&in, &len);

	fuzz_quiet_log();
	/* As a channel hands it on. */
	utf8_sanitize(&text, given, len);
	HOLDS(command_is(text.data) == (text.data[0] == '/' && isalpha((unsigned char)text.data[1]) != 0));
	if (command_is(text.data))
		dispatch(text.data);
	buf_clear(&text);
	free(given);
}

FUZZ_PROGRAM(fuzz_command)
