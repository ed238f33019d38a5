#include "bus/address.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/format.h"
#include "base/mem.h"
#include "base/text/utf8.h"

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
	    c == '-';
}

/* Blanks, controls and marks that change how their surroundings are displayed. */
static bool is_unprintable(uint32_t cp)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
	    {0x00, 0x20},
	    {0x7f, 0xa0},
	    {0xad, 0xad},
	    {0x1680, 0x1680},
	    {0x2000, 0x200f},
	    {0x2028, 0x202f},
	    {0x205f, 0x206f},
	    {0x3000, 0x3000},
	    {0xfeff, 0xfeff},
	    {0xfff9, 0xfffb},
	};

	for (size_t i = 0; i < ARRAY_LEN(ranges); i++)
		if (cp >= ranges[i].first && cp <= ranges[i].last)
			return true;
	return false;
}

static int check_name(const char *name, struct error *err)
{
	if (*name == '\0')
		return error_set(
		    err, ERROR_OURS, "an address begins with the name of a channel, as in telegram:-100123");
	for (const char *p = name; *p != '\0'; p++)
		if (!is_name_char(*p))
			return error_set(
			    err, ERROR_OURS, "a channel's name holds letters, digits, '_' and '-' only");
	return 0;
}

static int check_id(const char *what, const char *id, struct error *err)
{
	size_t len = strlen(id);
	uint32_t cp;

	for (size_t at = 0, n; at < len; at += n) {
		n = utf8_decode(id + at, len - at, &cp);
		if (n == 0 || is_unprintable(cp))
			return error_set(err, ERROR_OURS,
			    "the %s of an address holds a blank, a control or a bad byte", what);
	}
	return 0;
}

static int copy_field(char *dst, size_t size, const char *what, const char *src, struct error *err)
{
	if (str_copy(dst, size, src) != 0)
		return error_set(
		    err, ERROR_OURS, "the %s of an address is longer than %zu bytes", what, size - 1);
	return 0;
}

int address_set(
    struct address *a, const char *channel, const char *chat, const char *thread, struct error *err)
{
	struct address made = {0};

	if (!thread)
		thread = "";
	if (*chat == '\0')
		return error_set(
		    err, ERROR_OURS, "an address needs a chat after the ':', as in telegram:-100123");
	if (strchr(chat, '/'))
		return error_set(
		    err, ERROR_OURS, "the chat of an address holds no '/': that begins the thread");
	if (check_name(channel, err) != 0 || check_id("chat", chat, err) != 0 ||
	    check_id("thread", thread, err) != 0)
		return -1;
	if (copy_field(made.channel, sizeof(made.channel), "channel", channel, err) != 0 ||
	    copy_field(made.chat, sizeof(made.chat), "chat", chat, err) != 0 ||
	    copy_field(made.thread, sizeof(made.thread), "thread", thread, err) != 0)
		return -1;
	*a = made;
	return 0;
}

int address_parse(const char *text, struct address *out, struct error *err)
{
	char copy[ADDRESS_TEXT_MAX];
	char *chat, *thread;

	if (str_copy(copy, sizeof(copy), text) != 0)
		return error_set(
		    err, ERROR_OURS, "an address is at most %d bytes long", ADDRESS_TEXT_MAX - 1);
	chat = strchr(copy, ':');
	if (!chat)
		return error_set(
		    err, ERROR_OURS, "an address is written CHANNEL:CHAT or CHANNEL:CHAT/THREAD");
	*chat++ = '\0';
	thread = strchr(chat, '/');
	if (thread) {
		*thread++ = '\0';
		if (*thread == '\0')
			return error_set(err, ERROR_OURS, "an address with a '/' needs a thread after it");
	}
	return address_set(out, copy, chat, thread, err);
}

char *address_format(const struct address *a, char *out)
{
	str_format(out, ADDRESS_TEXT_MAX, "%s:%s%s%s", a->channel, a->chat, a->thread[0] != '\0' ? "/" : "",
	    a->thread);
	return out;
}

bool address_equal(const struct address *a, const struct address *b)
{
	return strcmp(a->chat, b->chat) == 0 && strcmp(a->thread, b->thread) == 0 &&
	    strcmp(a->channel, b->channel) == 0;
}
