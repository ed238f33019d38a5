#include "config/gateway_config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/un.h>

#include "base/buf.h"
#include "base/config/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "bus/channel.h"
#include "channels/channels.h"
#include "channels/console/console.h"
#include "config/channel_checks.h"
#include "llm/llm.h"
#include "llm/vision.h"
#include "llm/transcribe.h"
#include "tools/approval.h"
#include "tools/policy.h"
#include "tools/prompt/settings.h"
#include "tools/rules/rules.h"
#include "tools/reminders/schedule.h"
#include "tools/tools.h"
#include "tools/web/web.h"

/* The number of a unit comes after it. */
#define UNIT_NAME_MAX 26
/* The name when the file has no channel of type console. */
#define CONSOLE_NAME "console"

static const char *const level_names[] = {"error", "warn", "info", "debug", NULL};
static const char *const format_names[] = {"text", "json", NULL};

static const struct config_key top_keys[] = {
    {.name = "state",
	.type = CONFIG_STRING,
	.flags = CONFIG_REQUIRED | CONFIG_RESTART,
	.offset = offsetof(struct gateway_settings, state),
	.help = "Directory of the database and everything else that must survive a restart; created (mode "
		"0700) if missing."},
    {.name = "control",
	.type = CONFIG_STRING,
	.flags = CONFIG_RESTART,
	.offset = offsetof(struct gateway_settings, control),
	.help = "Path of the control socket. Default: control.sock in state."},
    {.name = "name",
	.type = CONFIG_STRING,
	.offset = offsetof(struct gateway_settings, name),
	.fallback = "Myna",
	.help = "The agent's name."},
    {.name = "log_level",
	.type = CONFIG_ENUM,
	.offset = offsetof(struct gateway_settings, log_level),
	.fallback = "info",
	.choices = level_names,
	.help = "Lines of this level and of more important ones are logged to stderr; log sets the level of "
		"single modules."},
    {.name = "log_format",
	.type = CONFIG_ENUM,
	.offset = offsetof(struct gateway_settings, log_format),
	.fallback = "text",
	.choices = format_names,
	.help = "Log lines as text, or as JSON."},
    {.name = "reports",
	.type = CONFIG_STRING,
	.offset = offsetof(struct gateway_settings, reports),
	.help = "A target or address that receives reports of messages that could not be delivered. Empty: "
		"nobody. Absent: the admins of each channel, in their private chats."},
    {.name = "turns_at_once",
	.type = CONFIG_INT,
	.offset = offsetof(struct gateway_settings, turns_at_once),
	.fallback = "2000",
	.min = 1,
	.max = 100000,
	.help = "Maximum number of turns of different chats that run at the same time; further ones wait. "
		"One person's turns take at most half of them."},
    {.name = "queue_most",
	.type = CONFIG_INT,
	.offset = offsetof(struct gateway_settings, queue_most),
	.fallback = "1000",
	.min = 1,
	.max = 1000000,
	.help = "Maximum number of messages of one chat that wait for an answer; further ones are refused, "
		"and the chat gets a notice."},
};

static const char *const top_children[] = {"approvals", "budgets", "channels", "chats", "cluster", "files",
    "http", "llm", "log", "people", "prompt", "quiet_hours", "reminders", "retention", "sessions", "store",
    "targets", "tools", NULL};

static const struct config_section top_section = {
    .path = "",
    .keys = top_keys,
    .key_count = ARRAY_LEN(top_keys),
    .help = "The top of the file.",
    .children = top_children,
};

static const struct config_section targets_section = {
    .path = "targets",
    .help = "Names for lists of addresses, each CHANNEL:CHAT or CHANNEL:CHAT/THREAD: "
	    "`targets: { ops = [\"telegram:-100123\"]; };`. The message tool and `myna send` accept them.",
};

static const struct config_section people_section = {
    .path = "people",
    .help =
	"One person on several channels: `people: { ann = [\"telegram:77\", \"slack:U024\"]; };`. The "
	"agent's notes about the person are then shared between them. Conversations and roles stay separate.",
};

static const struct config_section quiet_section = {
    .path = "quiet_hours",
    .help = "For each target, the hours in which notifications to its addresses wait: `quiet_hours: { ops = "
	    "\"22:00-07:00\"; };`. Times are local; answers do not wait.",
};

const char *gateway_config_path(const char *option)
{
	const char *env = getenv("MYNA_CONFIG");

	if (option)
		return option;
	return env && *env ? env : SYSCONFDIR "/myna/myna.conf";
}

/* A channel's group is read twice, with the keys common to all channels and with the adapter's keys. Each
 * pass gets the other's keys, so that it does not report them as unknown. */
static const char **key_names(const struct config_section *section)
{
	const char **names = xcalloc(section->key_count + 2, sizeof(*names));

	for (size_t i = 0; i < section->key_count; i++)
		names[i] = section->keys[i].name;
	names[section->key_count] = "groups";
	return names;
}

static void read_with(struct config *cfg, const char *path, const struct config_section *section,
    const struct config_section *other, void *settings)
{
	struct config_section both = *section;
	const char **children = key_names(other);

	both.children = children;
	config_read(cfg, path, &both, settings);
	free(children);
}

/* Reports an unknown type with the list of known ones. */
static void refuse_type(struct gateway_config *gc, const char *path, const char *type)
{
	struct buf known = BUF_INIT;

	for (size_t i = 0; channel_types[i]; i++)
		buf_addf(&known, "%s\"%s\"", i ? ", " : "", channel_types[i]->type);
	if (type)
		config_error(gc->file, path, "There is no channel type \"%s\". Known: %s.", type, known.data);
	else
		config_error(gc->file, path, "The channel needs a type. Known: %s.", known.data);
	buf_clear(&known);
}

/* Reports the error of channel_ops.check, which begins with the key. */
static void report_check(struct gateway_config *gc, const char *path, const char *sentence)
{
	char *at = xasprintf("%s.%.*s", path, (int)strcspn(sentence, " :"), sentence);

	config_error(gc->file, at, "%s", sentence);
	free(at);
}

static void read_quiet(struct gateway_config *gc, const char *path, struct gateway_channel *ch)
{
	char *at = xasprintf("%s.quiet_hours", path);
	struct error err = {0};

	if (quiet_hours_parse(ch->access.quiet_hours, &ch->quiet, &err) < 0)
		config_error(gc->file, at, "quiet_hours: %s.", err.text);
	free(at);
}

/* A name that no node can have would leave the channel to nobody. */
static void check_home(struct gateway_config *gc, const char *path, const char *home)
{
	char *key = xasprintf("%s.home", path);

	if (home && !gc->cluster.node)
		config_error(gc->file, key,
		    "home is for the nodes of a cluster, and this gateway is none: set cluster.node, or "
		    "remove it.");
	else if (home && !cluster_is_node_name(home))
		config_error(gc->file, key, "home \"%.40s\" is no name that a node can have.", home);
	free(key);
}

static void read_channel(struct gateway_config *gc, const char *name, struct gateway_channel *ch)
{
	char *path = xasprintf("channels.%s", name), *type_path = xasprintf("%s.type", path);
	const char *type = config_string(gc->file, type_path);
	size_t errors = config_error_count(gc->file);
	struct address probe;
	struct error err = {0};

	ch->name = xstrdup(name);
	if (address_set(&probe, name, "x", NULL, &err) < 0)
		config_error(gc->file, path, "%s", err.text);
	ch->ops = type ? channels_find(type) : NULL;
	if (ch->ops) {
		ch->settings = xcalloc(1, ch->ops->settings_size);
		read_with(gc->file, path, &access_section, ch->ops->section, &ch->access);
		read_with(gc->file, path, ch->ops->section, &access_section, ch->settings);
		if (config_error_count(gc->file) == errors && ch->ops->check &&
		    ch->ops->check(ch->settings, &err) < 0)
			report_check(gc, path, err.text);
		if (ch->ops->units && ch->ops->units(ch->settings) > 1 && strlen(name) > UNIT_NAME_MAX)
			config_error(gc->file, path,
			    "The name of a channel with several units has at most %d characters.",
			    UNIT_NAME_MAX);
		ch->access.operator= ch->ops == & console_ops;
		access_groups_read(&ch->access, gc->file, path);
		read_quiet(gc, path, ch);
		check_home(gc, path, ch->access.home);
		channel_checks_ids(gc, ch, path);
		const char *warning = access_warning(&ch->access);
		if (warning)
			config_warning(gc->file, path, "%s", warning);
	} else {
		refuse_type(gc, type ? type_path : path, type);
	}
	free(path);
	free(type_path);
}

/* Makes sure that there is exactly one console channel. */
static void settle_console(struct gateway_config *gc)
{
	struct gateway_channel *implied = &gc->channels[gc->channel_count];
	/* Each node has terminals of its own. */
	char *name =
	    gc->cluster.node ? xasprintf("%s-%s", CONSOLE_NAME, gc->cluster.node) : xstrdup(CONSOLE_NAME);
	char *path = xasprintf("channels.%s", name);
	size_t count = 0;

	for (size_t i = 0; i < gc->channel_count; i++)
		if (gc->channels[i].ops == &console_ops && count++ == 1) {
			char *second = xasprintf("channels.%s", gc->channels[i].name);
			config_error(
			    gc->file, second, "There are two channels of type \"console\". Remove one.");
			free(second);
		}
	if (count == 0 && gateway_config_channel(gc, name)) {
		config_error(
		    gc->file, path, "The name %s is kept for `myna chat`. Choose another one.", name);
	} else if (count == 0) {
		*implied = (struct gateway_channel){.name = name,
		    .ops = &console_ops,
		    .implied = true,
		    .settings = xcalloc(1, console_ops.settings_size),
		    .access = {.operator= true } };
		gc->channel_count++;
		name = NULL;
	}
	free(name);
	free(path);
}

static void read_channels(struct gateway_config *gc)
{
	const char **names = NULL;

	gc->channel_count = config_names(gc->file, "channels", &names);
	gc->channels = xcalloc(gc->channel_count + 1, sizeof(*gc->channels));
	for (size_t i = 0; i < gc->channel_count; i++)
		read_channel(gc, names[i], &gc->channels[i]);
	free(names);
	if (gc->channel_count == 0)
		config_warning(gc->file, "",
		    "No channel is configured: nobody reaches the agent but by `myna chat`. Add channels: { "
		    "NAME: { type = \"telegram\"; ... }; };");
	settle_console(gc);
}

static void settle_control(struct gateway_config *gc)
{
	struct sockaddr_un sun;

	if (!gc->top.state)
		return;
	if (!gc->top.control)
		gc->top.control = xasprintf("%s/control.sock", gc->top.state);
	if (strlen(gc->top.control) >= sizeof(sun.sun_path))
		config_error(gc->file, "control",
		    "The path of the control socket is longer than %zu bytes. Set control to a shorter one.",
		    sizeof(sun.sun_path) - 1);
}

static int load_file(struct gateway_config *gc, const char *file, struct buf *report)
{
	struct error err = {0};

	*gc = (struct gateway_config){.path = xstrdup(file)};
	gc->file = config_load(file, &err);
	if (!gc->file) {
		buf_addf(report, "%s\n", err.text);
		return -1;
	}
	config_read(gc->file, "", &top_section, &gc->top);
	log_settings_read(&gc->log, gc->file);
	settle_control(gc);
	store_settings_read(&gc->store, gc->file);
	cluster_settings_read(&gc->cluster, &gc->store, gc->file);
	return 0;
}

static void check_reports(struct gateway_config *gc)
{
	struct error err = {0};
	size_t count;
	const char *to = gc->top.reports && *gc->top.reports ? gc->top.reports : NULL;
	struct address *found = to ? targets_expand(&gc->targets, to, &count, &err) : NULL;

	if (to && !found)
		config_error(gc->file, "reports", "reports: %s", err.text);
	else if (found && !gateway_config_channel(gc, found[0].channel))
		config_error(gc->file, "reports",
		    "reports names the channel \"%s\", which is not configured.", found[0].channel);
	if (found && to && strchr(to, ':'))
		channel_checks_address(gc, "reports", to, channel_check_chat);
	free(found);
}

static int report_errors(struct gateway_config *gc, struct buf *report)
{
	if (config_error_count(gc->file) > 0) {
		config_errors(gc->file, report);
		return -1;
	}
	config_warnings(gc->file, report);
	return 0;
}

int gateway_config_load(struct gateway_config *gc, const char *file, struct buf *report)
{
	if (load_file(gc, file, report) < 0)
		return -1;
	read_channels(gc);
	size_t errors = config_error_count(gc->file);
	targets_read(&gc->targets, gc->file);
	if (config_error_count(gc->file) == errors) {
		channel_checks_addresses(gc, "targets", channel_check_chat);
		channel_checks_addresses(gc, "people", channel_check_person);
	}
	channel_checks_tokens(gc);
	http_settings_read(&gc->http, gc->file);
	check_reports(gc);
	config_read(gc->file, "files", &files_section, &gc->files);
	config_read(gc->file, "retention", &retention_section, &gc->retention);
	if (gc->retention.size > 0 && gc->store.engine == STORE_POSTGRES)
		config_error(gc->file, "retention.size",
		    "retention.size is for a store in a file: PostgreSQL does not tell how much of a "
		    "database is in use. Set retention.conversations.");
	session_settings_read(&gc->sessions, gc->file);
	gc->llm = llm_new(gc->file);
	gc->tools = tools_new(gc->file, &gc->targets);
	const struct schedule_settings *times = tools_reminders(gc->tools);
	budget_settings_read(&gc->budgets, gc->file, &gc->targets,
	    times->time_zone ? times->time_zone : times->local, gc->llm);
	mcp_settings_read(&gc->mcp, gc->file, gc->tools, gc->top.control);
	tools_check_folders(gc->tools, gc->file, gc->top.control);
	return report_errors(gc, report);
}

int gateway_config_load_top(struct gateway_config *gc, const char *file, struct buf *report)
{
	if (load_file(gc, file, report) < 0)
		return -1;
	return report_errors(gc, report);
}

void gateway_config_revision(const struct gateway_config *gc, char out[CONFIG_REVISION_SIZE])
{
	static const char *const own[] = {"cluster.most_units", "cluster.node", "control", "http", "log",
	    "log_format", "log_level", "state", "store", NULL};

	config_revision(gc->file, own, out);
}

void gateway_config_clear(struct gateway_config *gc)
{
	mcp_settings_clear(&gc->mcp);
	budget_settings_clear(&gc->budgets);
	tools_free(gc->tools);
	llm_free(gc->llm);
	session_settings_clear(&gc->sessions);
	targets_clear(&gc->targets);
	http_settings_clear(&gc->http);
	for (size_t i = 0; i < gc->channel_count; i++) {
		struct gateway_channel *ch = &gc->channels[i];
		access_groups_clear(&ch->access);
		config_settings_clear(access_section.keys, access_section.key_count, &ch->access);
		if (ch->ops)
			config_settings_clear(
			    ch->ops->section->keys, ch->ops->section->key_count, ch->settings);
		free(ch->settings);
		free(ch->name);
	}
	free(gc->channels);
	cluster_settings_clear(&gc->cluster);
	store_settings_clear(&gc->store);
	config_settings_clear(top_keys, ARRAY_LEN(top_keys), &gc->top);
	config_free(gc->file);
	free(gc->path);
	free(gc->broken);
	*gc = (struct gateway_config){0};
}

struct keeping {
	const struct config *file;
	const char *path; /* the group's path */
	struct buf *notes;
};

static void note_restart(const struct config *file, const char *path, const char *what, struct buf *notes)
{
	config_where(file, path, notes);
	buf_addf(notes, ": %s%s\n", path, what);
}

static void note_key(void *arg, const struct config_key *key)
{
	const struct keeping *k = arg;
	char *path = xasprintf("%s%s%s", k->path, *k->path ? "." : "", key->name);

	note_restart(k->file, path, "", k->notes);
	free(path);
}

static void keep_section(const struct gateway_config *now, const char *path,
    const struct config_section *section, const void *old, void *new, struct buf *notes)
{
	struct keeping k = {.file = now->file, .path = path, .notes = notes};

	config_settings_keep_restart_only(section, old, new, note_key, &k);
}

static void keep_channel(const struct gateway_config *old, struct gateway_config *now,
    struct gateway_channel *ch, struct buf *notes)
{
	const struct gateway_channel *old_channel = gateway_config_channel(old, ch->name);
	char *path = xasprintf("channels.%s", ch->name);

	if (!old_channel)
		note_restart(now->file, path, ": a new channel", notes);
	else if (old_channel->ops != ch->ops)
		note_restart(now->file, path, ": another type", notes);
	else if (ch->ops->section)
		keep_section(now, path, ch->ops->section, old_channel->settings, ch->settings, notes);
	if (old_channel)
		keep_section(now, path, &access_section, &old_channel->access, &ch->access, notes);
	free(path);
}

void gateway_config_keep_restart_only(
    const struct gateway_config *old, struct gateway_config *now, struct buf *notes)
{
	keep_section(now, "", &top_section, &old->top, &now->top, notes);
	tools_set_state(now->tools, now->top.state);
	tools_set_shared(now->tools, now->cluster.shared);
	tools_share(now->tools, old->tools);
	keep_section(now, "http", &http_section, &old->http, &now->http, notes);
	keep_section(now, "retention", &retention_section, &old->retention, &now->retention, notes);
	keep_section(now, "store", &store_section, &old->store, &now->store, notes);
	keep_section(now, "cluster", &cluster_section, &old->cluster, &now->cluster, notes);
	for (size_t i = 0; i < now->channel_count; i++)
		keep_channel(old, now, &now->channels[i], notes);
	for (size_t i = 0; i < old->channel_count; i++) {
		char *path = xasprintf("channels.%s", old->channels[i].name);
		if (!gateway_config_channel(now, old->channels[i].name))
			note_restart(now->file, path,
			    ": is gone; until then it stays connected, and nobody is answered there", notes);
		free(path);
	}
}

const struct gateway_channel *gateway_config_channel(const struct gateway_config *gc, const char *name)
{
	for (size_t i = 0; i < gc->channel_count; i++)
		if (strcmp(gc->channels[i].name, name) == 0)
			return &gc->channels[i];
	return NULL;
}

/* In the order of the reference; returns how many. */
static size_t all_sections(const struct config_section *sections[48])
{
	size_t n = 0;

	sections[n++] = &top_section;
	sections[n++] = &access_section;
	sections[n++] = &access_group_section;
	for (size_t i = 0; channel_types[i]; i++)
		sections[n++] = channel_types[i]->section;
	sections[n++] = &llm_section;
	sections[n++] = &llm_provider_section;
	sections[n++] = &llm_price_section;
	sections[n++] = &llm_images_section;
	sections[n++] = &llm_transcribe_section;
	sections[n++] = &budget_section;
	sections[n++] = &files_section;
	sections[n++] = &sessions_section;
	sections[n++] = &chats_section;
	sections[n++] = &prompt_section;
	sections[n++] = &tools_section;
	sections[n++] = &mcp_section;
	sections[n++] = &policy_section;
	sections[n++] = &rules_section;
	sections[n++] = &web_section;
	sections[n++] = &web_search_section;
	sections[n++] = &approval_section;
	sections[n++] = &reminders_section;
	sections[n++] = &targets_section;
	sections[n++] = &people_section;
	sections[n++] = &quiet_section;
	sections[n++] = &log_section;
	sections[n++] = &http_section;
	sections[n++] = &retention_section;
	sections[n++] = &store_section;
	sections[n++] = &cluster_section;
	return n;
}

void gateway_config_document(struct buf *out)
{
	const struct config_section *sections[48];
	size_t n = all_sections(sections);

	buf_addstr(out,
	    "# Settings\n\nLook up a setting. `myna settings` prints this page from the rows that read the "
	    "configuration. The file is in libconfig's\nsyntax, as in "
	    "[etc/myna.conf.example](../etc/myna.conf.example); `myna check -c FILE` reports every mistake "
	    "as\n"
	    "FILE:LINE: message.\n\n");
	config_document(out, sections, n);
}

struct json_object *gateway_config_describe(void)
{
	const struct config_section *sections[48];
	size_t n = all_sections(sections);

	return config_describe(sections, n);
}
