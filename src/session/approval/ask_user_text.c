#include "session/approval/approval_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "bus/bus.h"
#include "bus/buttons.h"
#include "bus/escape.h"
#include "session/access/access.h"
#include "session/session_internal.h"
#include "store/questions.h"
#include "tools/services.h"

#define BLANKS " \t\r\n"

char *ask_user_trim(const char *text)
{
	text += strspn(text, BLANKS);
	size_t len = strlen(text);
	while (len > 0 && strchr(BLANKS, text[len - 1]))
		len--;
	return xstrndup(text, len);
}

/* The text on one line. */
static char *line_of(const char *text)
{
	char *line = ask_user_trim(text);

	for (char *c = line; *c; c++)
		*c = strchr(BLANKS, *c) ? ' ' : *c;
	return line;
}

/* Returns whether an option is too long for a button. */
static bool is_long(const struct tool_question *q)
{
	for (size_t i = 0; i < q->option_count; i++)
		if (utf8_count(q->options[i], strlen(q->options[i]), UTF8_UTF16) > BUTTON_LABEL_MAX)
			return true;
	return false;
}

bool ask_user_needs_mention(const struct sessions *all, const struct message *asked)
{
	const struct access_settings *access = all->options.access(all->options.arg, asked->from.channel);
	const char *former = bus_former_chat_id(all->options.agent->bus, &asked->from);

	return access && asked->chat_kind != CHAT_PRIVATE &&
	    access_group(access, asked->from.chat, former) == ACCESS_GROUP_MENTION;
}

bool ask_user_is_numbered(const struct tool_question *q, bool buttons)
{
	return q->option_count > 0 && !q->free_text && (!buttons || is_long(q));
}

/* Options beside words, where no button shows them. */
static void add_words(struct buf *out, const struct tool_question *q)
{
	buf_addstr(out, "\n\nOr answer with");
	for (size_t i = 0; i < q->option_count; i++) {
		buf_addf(out, "%s**", i == 0 ? " " : i + 1 < q->option_count ? ", " : " or ");
		escape_markdown(out, q->options[i]);
		buf_addstr(out, "**");
	}
	buf_addch(out, '.');
}

char *ask_user_text(const struct tool_question *q, bool buttons, bool hint)
{
	bool numbered = ask_user_is_numbered(q, buttons);
	struct buf out = BUF_INIT;

	buf_addstr(&out, q->text);
	for (size_t i = 0; numbered && i < q->option_count; i++) {
		char *line = line_of(q->options[i]);
		buf_addf(&out, "%s%zu. ", i == 0 ? "\n\n" : "\n", i + 1);
		escape_markdown(&out, line);
		free(line);
	}
	if (numbered)
		buf_addstr(&out, "\n\nAnswer with a number, or in your own words.");
	if (q->free_text && !buttons && q->option_count > 0)
		add_words(&out, q);
	if (hint)
		buf_addstr(&out,
		    numbered ? " Reply to this message, or mention me." :
			       "\n\nTo answer in words, reply to this message or mention me.");
	return buf_take(&out);
}

char *ask_user_buttons(const struct tool_question *q, const char *token)
{
	bool numbers = is_long(q);
	struct buttons b = {0};

	for (size_t i = 0; i < q->option_count; i++) {
		char *id = xasprintf("p:%s:o%zu", token, i),
		     *label = numbers ? xasprintf("%zu", i + 1) : line_of(q->options[i]);
		buttons_add(&b, id, label, BUTTON_PLAIN, false);
		free(id);
		free(label);
	}
	char *text = buttons_write(&b);
	buttons_clear(&b);
	return text;
}

char *ask_user_data(const struct tool_question *q, bool numbered)
{
	struct json_object *o = json_object_new_object(), *options = json_object_new_array();

	for (size_t i = 0; i < q->option_count; i++)
		json_object_array_add(options, json_object_new_string(q->options[i]));
	json_set_str(o, "question", q->text);
	json_set(o, "options", options);
	json_set_bool(o, "numbered", numbered);
	if (q->once)
		json_set_bool(o, "once", true);
	char *text = json_text(o);
	json_object_put(o);
	return text;
}

/* Returns the number in "o7", below count; -1. */
static int place_of(const char *choice, size_t count)
{
	char *end;

	if (choice[0] != 'o' || choice[1] < '0' || choice[1] > '9')
		return -1;
	unsigned long i = strtoul(choice + 1, &end, 10);
	return *end == '\0' && i < count ? (int)i : -1;
}

char *ask_user_label(const struct store_question *p, const char *choice)
{
	struct json_object *o = json_parse_object(p->data, strlen(p->data), NULL),
			   *options = json_get_array(o, "options");
	int i = options ? place_of(choice, json_object_array_length(options)) : -1;
	char *label =
	    i < 0 ? NULL : line_of(json_object_get_string(json_object_array_get_idx(options, (size_t)i)));

	json_object_put(o);
	return label;
}

bool ask_user_is_once(const struct store_question *p)
{
	struct json_object *o = json_parse_object(p->data, strlen(p->data), NULL);
	bool once = json_get_bool(o, "once", false);

	json_object_put(o);
	return once;
}

/* Returns the option's index for "2", "2." or "2)"; -1. */
static int place_by_number(const char *words, size_t count)
{
	size_t digits = strspn(words, "0123456789");
	const char *rest = words + digits;

	if (digits == 0 || digits > 2 || rest[strspn(rest, ".)")] != '\0')
		return -1;
	unsigned long n = strtoul(words, NULL, 10);
	return n >= 1 && n <= count ? (int)n - 1 : -1;
}

static int place_by_words(struct json_object *options, const char *words)
{
	for (size_t i = 0; i < json_object_array_length(options); i++)
		if (strcmp(json_object_get_string(json_object_array_get_idx(options, i)), words) == 0)
			return (int)i;
	return -1;
}

char *ask_user_choice(const struct store_question *p, const char *words)
{
	struct json_object *o = json_parse_object(p->data, strlen(p->data), NULL),
			   *options = json_get_array(o, "options");
	int i = options ? place_by_words(options, words) : -1;

	if (i < 0 && options && json_get_bool(o, "numbered", false))
		i = place_by_number(words, json_object_array_length(options));
	json_object_put(o);
	return i < 0 ? NULL : xasprintf("o%d", i);
}

size_t ask_user_option(const struct tool_question *q, const char *choice)
{
	return (size_t)(place_of(choice, q->option_count) + 1);
}
