#ifndef CONFIG_LAST_GOOD_CONFIG_H
#define CONFIG_LAST_GOOD_CONFIG_H
/*
 * The last good configuration: a copy of what was in order when the gateway started or reloaded, with all
 * that it includes, in STATE/config.good (mode 0600; a secret stands in it as it does in the file). A file
 * that is broken at a start does not keep the gateway down, out of reach of those who could tell why.
 */
struct buf;
struct gateway_config;
struct task;

/* After gateway_config_load has failed on gc with report: loads the copy in its place, where one is found,
 * and sets broken. state: where to look first; NULL: the state that the file names, or $STATE_DIRECTORY. 0,
 * or -1: there is no copy that is in order; gc is as it was. */
int last_good_config_load(struct gateway_config *gc, const char *state, const struct buf *report);
/* The same after gateway_config_load_top. */
int last_good_config_load_top(struct gateway_config *gc, const struct buf *report);
/* Keeps the configuration in force as the last good one, unless it is that copy itself. What goes wrong is
 * logged. */
void last_good_config_keep(struct task *t, const struct gateway_config *gc);

#endif
