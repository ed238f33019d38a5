#include <stddef.h>
#include <string.h>

#include "base/buf.h"
#include "base/log.h"
#include "bus/literal.h"
#include "bus/menu.h"
#include "session/command.h"

enum { MODULE, LEVEL };

static void show(struct buf *out)
{
	const char *module;

	buf_addf(out, "All modules log %s and what is worse", log_level_name(log_level_of(NULL)));
	for (size_t i = 0; (module = log_module(i)) != NULL; i++)
		buf_addf(out, "%s %s %s", i == 0 ? ", but" : ",", module, log_level_name(log_level_of(module)));
	buf_addch(out, '.');
}

static void set(const char *module, enum log_level level, struct buf *out)
{
	if (log_set_level(module, level) < 0) {
		buf_addf(out, "Nothing was changed: the name of a module has letters, digits, '.', '-' and '_', at most %d, and at most %d "
		    "have levels of their own.", LOG_MODULE_NAME_MOST, LOG_MODULES_MOST);
		return;
	}
	log_info("command", "log level changed: module=%s level=%s", module ? module : "(all)", log_level_name(level));
	buf_addf(out, "%s%s log%s %s and what is worse from now on, until the next start.", module ? "" : "All modules without a level of their own",
	    module ? module : "", module ? "s" : "", log_level_name(level));
}

static void run(struct task *t, struct command_call *call)
{
	const char *module = call->values[MODULE], *name = call->values[LEVEL];
	struct buf text = BUF_INIT;
	enum log_level level;

	(void)t;
	if (!module && !name) {
		show(&text);
	} else if (!name && log_level_parse(module, &level) == 0) {
		set(NULL, level, &text);
	} else if (!name) {
		buf_addf(&text, "%s logs %s and what is worse.", module, log_level_name(log_level_of(module)));
	} else if (log_level_parse(name, &level) == 0) {
		set(module, level, &text);
	} else {
		log_unset_level(module);
		buf_addf(&text, "%s logs what the others do: %s and what is worse.", module, log_level_name(log_level_of(module)));
	}
	literal_add(call->reply, text.data);
	buf_clear(&text);
}

static const char *const level_names[] = {"error", "warn", "info", "debug", "default", NULL};

static const struct channel_argument takes[] = {
    {.name = "module", .help = "a channel's name, or agent, bus, gateway, http, llm, session…; a level alone is for all of them"},
    {.name = "level", .choices = level_names, .help = "the least important lines that are logged; default: as the others"},
    {.name = NULL},
};

const struct command command_log = {
    .name = "log",
    .role = ACCESS_ADMIN,
    .takes = takes,
    .help = "how much is logged, in all and by module",
    .run = run,
};
