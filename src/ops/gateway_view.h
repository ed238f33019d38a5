#ifndef OPS_GATEWAY_VIEW_H
#define OPS_GATEWAY_VIEW_H
/* What the operator's commands may read of the running gateway, which implements it. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct budget;
struct buf;
struct bus;
struct gateway;
struct gateway_config;
struct health;
struct mcp;
struct sessions;
struct store;
struct task;

/* Returns the current configuration. */
const struct gateway_config *gateway_config(const struct gateway *g);
struct bus *gateway_bus(struct gateway *g);
struct store *gateway_store(struct gateway *g);
struct sessions *gateway_sessions(struct gateway *g);
struct health *gateway_health(struct gateway *g);
struct budget *gateway_budget(struct gateway *g);
/* The MCP servers; NULL while they are not there. */
struct mcp *gateway_mcp(struct gateway *g);
/* Every channel receives. */
bool gateway_ready(struct gateway *g);
uint64_t gateway_uptime_ms(const struct gateway *g);
/* Things an operator must know, oldest first; at most a few. */
const char *gateway_notice(const struct gateway *g, size_t i);
/* Reads the configuration again. Valid settings take effect, and running turns keep those that they began
 * with; settings that need a restart keep their values. An invalid configuration changes nothing. Returns -1
 * when the old configuration stays. Appends a report for a person, which names the settings that need a
 * restart, and logs it. */
int gateway_reload(struct task *t, struct gateway *g, struct buf *out);

#endif
