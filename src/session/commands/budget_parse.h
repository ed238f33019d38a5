#ifndef SESSION_COMMANDS_BUDGET_PARSE_H
#define SESSION_COMMANDS_BUDGET_PARSE_H
/* Parses the arguments of /budget: "chat 500k tokens a day", "person 78 20 turns a month", "them lift", "all
 * default". */
#include <stdbool.h>
#include <stdint.h>

#include "store/budgets.h"

struct buf;

#define BUDGET_THEM "them"

enum budget_action { BUDGET_SET, BUDGET_LIFT, BUDGET_RESTORE };

struct budget_request {
	enum budget_action action;
	enum store_scope scope;
	/* The person, or the chat as CHANNEL:ID, as typed; "": the sender, or this chat. BUDGET_THEM: the
	 * person whose message the command answers. */
	char whom[128];
	enum store_measure measure;
	enum store_window window;
	int64_t most; /* STORE_NO_LIMIT: no limit of this measure */
};

/* currency names the money. On false, why has the mistake in plain text. */
bool budget_parse(const char *text, const char *currency, struct budget_request *out, struct buf *why);

#endif
