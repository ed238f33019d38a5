#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/log_tail.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "bus/bus.h"
#include "bus/escape.h"
#include "bus/command_menu.h"
#include "bus/message.h"
#include "session/commands/command.h"
#include "session/session_internal.h"

enum { MODULE, LEVEL };

/* Lines that /log tail shows by default, and the maximum length of its text. */
#define TAIL_LINES 20
#define TAIL_CHARS 3000

/* What log_write is called with; channels and MCP servers log under names of their own. */
static const char *const modules[] = {"access", "agent", "approval", "budget", "bus", "cluster", "command",
    "config", "control", "gateway", "http", "libwebsockets", "llm", "mcp", "net", "net.http", "net.server",
    "net.web", "plan", "prompt", "question", "reminder", "reports", "session", "state", "store", "tools"};

static bool is_known(struct bus *bus, const char *module)
{
	for (size_t i = 0; i < ARRAY_LEN(modules); i++)
		if (strcmp(modules[i], module) == 0)
			return true;
	for (struct channel *ch = NULL; (ch = bus_next_channel(bus, ch));)
		if (strcmp(ch->name, module) == 0)
			return true;
	return strncmp(module, "mcp.", 4) == 0;
}

static void refuse_module(struct bus *bus, const char *module, struct buf *out)
{
	buf_addf(out, "There is no module \"%.40s\". Modules:", module);
	for (size_t i = 0; i < ARRAY_LEN(modules); i++)
		buf_addf(out, "%s %s", i > 0 ? "," : "", modules[i]);
	for (struct channel *ch = NULL; (ch = bus_next_channel(bus, ch));)
		buf_addf(out, ", %s", ch->name);
	buf_addch(out, '.');
}

static void show(struct buf *out)
{
	const char *module;

	buf_addf(out, "All modules log %s and above", log_level_name(log_level_of(NULL)));
	for (size_t i = 0; (module = log_module(i)); i++)
		buf_addf(
		    out, "%s %s %s", i == 0 ? ", but" : ",", module, log_level_name(log_level_of(module)));
	buf_addch(out, '.');
}

static void set(const char *module, enum log_level level, struct buf *out)
{
	if (log_set_level(module, level) < 0) {
		buf_addf(out,
		    "Nothing was changed: the name of a module has letters, digits, '.', '-' and '_', at "
		    "most %d, and at most %d have levels of their own.",
		    LOG_MODULE_NAME_MAX, LOG_MODULES_MAX);
		return;
	}
	log_info("command", "log level changed: module=%s level=%s", module ? module : "(all)",
	    log_level_name(level));
	buf_addf(out, "%s%s log%s %s and above from now on, until the next start.",
	    module ? "" : "All modules without a level of their own", module ? module : "", module ? "s" : "",
	    log_level_name(level));
}

/* Returns how many backticks make a fence that no run within the text closes. */
static size_t fence_of(const char *text)
{
	size_t most = 2;

	for (; *text; text += strcspn(text, "`")) {
		size_t n = strspn(text, "`");
		most = n > most ? n : most;
		text += n;
	}
	return most + 1;
}

/* The log covers all chats, so it is shown only where nobody else reads. */
static void tail(const struct command_call *call, const char *lines)
{
	size_t count = lines ? strtoul(lines, NULL, 10) : TAIL_LINES;
	struct buf text = BUF_INIT;

	if (call->asked->chat_kind != CHAT_PRIVATE) {
		buf_addstr(call->reply, "I show the log in private chats only.");
		return;
	}
	log_tail(LOG_LEVEL_DEBUG, count, &text);
	size_t chars = utf8_count(text.data, text.len, UTF8_CHARS);
	const char *from = text.data;
	if (chars > TAIL_CHARS) {
		from += utf8_cut(text.data, text.len, chars - TAIL_CHARS, UTF8_CHARS);
		from += strcspn(from, "\n") + 1;
	}
	struct buf fence = BUF_INIT;
	for (size_t n = fence_of(from); n > 0; n--)
		buf_addch(&fence, '`');
	buf_addf(call->reply, "%s\n%s%s", fence.data, from, fence.data);
	buf_clear(&fence);
	buf_clear(&text);
}

static bool is_count(const char *text)
{
	size_t len = strspn(text, "0123456789");

	return len > 0 && len < 5 && text[len] == '\0' && *text != '0';
}

static void run(struct task *t, struct command_call *call)
{
	const char *module = call->values[MODULE], *name = call->values[LEVEL];
	struct buf text = BUF_INIT;
	struct bus *bus = call->all->options.agent->bus;
	enum log_level level;

	(void)t;
	if (module && strcmp(module, "tail") == 0) {
		if (!name || is_count(name))
			tail(call, name);
		else
			buf_addf(call->reply, "After tail comes the number of lines, 1 to %d.", LOG_TAIL_MAX);
		return;
	}
	if (!module && !name) {
		show(&text);
	} else if (!name && log_level_parse(module, &level) == 0) {
		set(NULL, level, &text);
	} else if (!is_known(bus, module)) {
		refuse_module(bus, module, &text);
	} else if (!name) {
		buf_addf(&text, "%s logs %s and above.", module, log_level_name(log_level_of(module)));
	} else if (log_level_parse(name, &level) == 0) {
		set(module, level, &text);
	} else if (strcmp(name, "default") != 0) {
		buf_addstr(&text, "LEVEL is one of error, warn, info, debug, default.");
	} else {
		log_unset_level(module);
		buf_addf(&text, "%s logs what the others do: %s and above.", module,
		    log_level_name(log_level_of(module)));
	}
	escape_markdown(call->reply, text.data);
	buf_clear(&text);
}

static const struct channel_argument takes[] = {
    {.name = "module",
	.help =
	    "a channel's name, or agent, bus, http…; a level alone is for all; tail shows the last lines"},
    {.name = "level",
	.help = "error, warn, info, debug, or default (as the others); after tail: how many lines"},
    {.name = NULL},
};

const struct command command_log = {
    .name = "log",
    .role = ACCESS_ADMIN,
    .channel_wide = true,
    .takes = takes,
    .help = "show or set how much is logged; tail: show the last lines",
    .run = run,
};
