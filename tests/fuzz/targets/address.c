/* bus/address: what is read is written the same, byte for byte, and ids are never cut. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text/utf8.h"
#include "bus/address.h"
#include "fuzz/fuzz.h"

static void check_field(const char *text, size_t size)
{
	HOLDS(memchr(text, '\0', size));
	HOLDS(utf8_valid(text, strlen(text)));
	for (const char *c = text; *c != '\0'; c++)
		HOLDS((unsigned char)*c > ' ' && *c != 0x7f);
}

static void check_address(const struct address *a)
{
	char text[ADDRESS_TEXT_MAX];
	struct address again;

	check_field(a->channel, sizeof(a->channel));
	check_field(a->chat, sizeof(a->chat));
	check_field(a->thread, sizeof(a->thread));
	HOLDS(a->channel[strspn(
		  a->channel, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")] == '\0');
	HOLDS(a->channel[0] != '\0' && a->chat[0] != '\0' && !strchr(a->chat, '/'));
	HOLDS(address_format(a, text) == text && strlen(text) < ADDRESS_TEXT_MAX);
	HOLDS(address_parse(text, &again, NULL) == 0);
	HOLDS(address_equal(a, &again));
}

static void parse(const char *given)
{
	char text[ADDRESS_TEXT_MAX];
	struct error err = {0};
	struct address a;

	if (address_parse(given, &a, &err) != 0) {
		fuzz_hold_sentence(err.text);
		return;
	}
	check_address(&a);
	HOLDS(strcmp(address_format(&a, text), given) == 0);
}

static void set(const char *channel, const char *chat, const char *thread)
{
	struct error err = {0};
	struct address a;

	if (address_set(&a, channel, chat, thread, &err) != 0) {
		fuzz_hold_sentence(err.text);
		return;
	}
	check_address(&a);
	HOLDS(strcmp(a.channel, channel) == 0 && strcmp(a.chat, chat) == 0 && strcmp(a.thread, thread) == 0);
}

void fuzz_address(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size), parts = in;
	size_t len;
	char *text = fuzz_rest(&in, &len), *channel = fuzz_until(&parts, '\n', &len);
	char *chat = fuzz_until(&parts, '\n', &len), *thread = fuzz_until(&parts, '\n', &len);

	parse(text);
	set(channel, chat, thread);
	free(text);
	free(channel);
	free(chat);
	free(thread);
}

FUZZ_PROGRAM(fuzz_address)
