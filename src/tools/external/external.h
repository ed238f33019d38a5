#ifndef TOOLS_EXTERNAL_EXTERNAL_H
#define TOOLS_EXTERNAL_EXTERNAL_H
/*
 * Tools that are programs in a folder (tools.external; docs/external-tools.md). Each is asked once with
 * --schema what it is, and again when its file has changed. What belongs to somebody else, can be written by
 * others, or answers badly is quarantined with the reason. Programs run in the sandbox, when they are asked,
 * too.
 */
struct external;
struct task;
struct tool_sources;
struct tools;

struct external *external_new(struct tool_sources *all);
/* No refresh may be under way. NULL is fine. */
void external_free(struct external *e);
/* Looks at the folder that these tools name, and asks what is new there; whoever comes meanwhile waits for
 * it. Returns early when t is cancelled: then the next one goes on. */
void external_refresh(struct task *t, struct external *e, const struct tools *ts);

#endif
