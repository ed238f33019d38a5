#ifndef AGENT_BUDGET_SETTINGS_H
#define AGENT_BUDGET_SETTINGS_H
/* Budgets in the configuration: budgets = ( { scope = "chat"; tokens = 500000; } ); */
#include <stdbool.h>
#include <stddef.h>

#include "base/time/zone.h"
#include "bus/address.h"
#include "store/budgets.h"

struct config;
struct config_section;
struct llm;
struct targets;

enum budget_role { BUDGET_GUEST, BUDGET_USER, BUDGET_ADMIN, BUDGET_ROLES };

struct budget_rule {
	int scope, window;            /* enum store_scope, store_window */
	int64_t most[STORE_MEASURES]; /* STORE_NO_LIMIT for none */
	bool named;                   /* it is limited to: */
	bool roles[BUDGET_ROLES];
	struct address *of; /* chats; or people, with the id in place of the chat */
	size_t of_count;
};

struct budget_settings {
	struct budget_rule *rows;
	size_t count;
	struct zone *zone; /* for the start of days and months; NULL: UTC */
	char zone_name[ZONE_NAME_SIZE];
};

extern const struct config_section budget_section;

/* Reports errors to cfg, such as an amount of money while a model has no price. May block. */
void budget_settings_read(struct budget_settings *s, struct config *cfg, const struct targets *targets,
    const char *zone, const struct llm *llm);
void budget_settings_clear(struct budget_settings *s);
/* Returns the row for the account: the one that names it, else the one for the role, else the one for all;
 * NULL for none. */
const struct budget_rule *budget_settings_find(const struct budget_settings *s, const struct store_account *a,
    enum budget_role role, enum store_window window);
/* Returns true when a row has the scope. */
bool budget_settings_have(const struct budget_settings *s, enum store_scope scope);

#endif
