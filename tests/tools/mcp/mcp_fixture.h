#ifndef TESTS_TOOLS_MCP_MCP_FIXTURE_H
#define TESTS_TOOLS_MCP_MCP_FIXTURE_H
/* For tests of MCP servers: those of a configuration, a tools fixture, and the log. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "tools/mcp/mcp.h"
#include "tools/mcp/settings.h"
#include "tools/tools_fixture.h"

struct task;

typedef void body_fn(struct task *t);

extern struct tools_fixture w;
extern struct mcp_settings settings;
extern struct mcp *servers;
extern struct buf logged;

int mcp_fixture_begin(void **state);
int mcp_fixture_end(void **state);
/* Runs body with these servers, as in the configuration (%s is the stub), at whatever level of the sandbox
 * there is; afterwards no child is left. */
void with_servers(const char *list, body_fn *body);
/* The same with more settings of tools, and the level that they require. */
void with_servers_and(const char *list, const char *more, body_fn *body);
/* Only reads the configuration; its errors and warnings are in problems. */
void read_servers(const char *list, const char *more, struct buf *problems);

/* Returns the status of server i; free *all. */
struct json_object *state_of(size_t i, struct json_object **all);
/* Of the first server. */
void await_state(struct task *t, const char *state);
void await_log(struct task *t, const char *text);
/* With {"message": message}. */
struct json_object *call_tool(struct task *t, const char *name, const char *message);

#endif
