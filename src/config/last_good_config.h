#ifndef CONFIG_LAST_GOOD_CONFIG_H
#define CONFIG_LAST_GOOD_CONFIG_H
/*
 * The last good configuration: a copy of the last valid configuration that was started or reloaded, with
 * all its includes, in STATE/config.good (mode 0600; it holds secrets as the file does). With it a
 * broken file does not prevent a start, so that admins can be told.
 */
struct buf;
struct gateway_config;
struct task;

/* Call it after gateway_config_load failed on gc with report: loads the copy instead and sets broken.
 * state: where to look first; NULL: the state that the file names, or $STATE_DIRECTORY. Returns -1 when
 * there is no valid copy; gc is unchanged then. */
int last_good_config_load(struct gateway_config *gc, const char *state, const struct buf *report);
/* The same after gateway_config_load_top. */
int last_good_config_load_top(struct gateway_config *gc, const struct buf *report);
/* Saves the configuration in use as the last good one, unless it is that copy. Logs failures. Suspends. */
void last_good_config_keep(struct task *t, const struct gateway_config *gc);

#endif
