#include "session/session_settings.h"

#include <stddef.h>
#include <time.h>

#include "base/mem.h"
#include "bus/quiet_hours.h"
#include "session/queue_mode.h"

static const struct config_key keys[] = {
    {.name = "daily",
	.type = CONFIG_STRING,
	.offset = offsetof(struct session_settings, daily),
	.help = "The time of day, such as \"04:00\" in local time, when conversations end: the next message "
		"begins a new one, as /new does."},
    {.name = "idle",
	.type = CONFIG_DURATION,
	.offset = offsetof(struct session_settings, idle_ms),
	.fallback = "0 s",
	.max = 366LL * 24 * 3600 * 1000,
	.help = "A conversation also ends after this time without a message. 0: never."},
    {.name = "queue",
	.type = CONFIG_ENUM,
	.offset = offsetof(struct session_settings, queue),
	.fallback = "queue",
	.choices = queue_mode_choices,
	.help = "What happens to a message that arrives while another one is being answered: it waits "
		"(queue), all waiting messages become one turn (collect), the running turn gets it (steer), "
		"or the running turn is stopped (interrupt). /queue sets it for one chat."},
};

const struct config_section sessions_section = {
    .path = "sessions",
    .keys = keys,
    .key_count = ARRAY_LEN(keys),
    .help = "Conversations.",
};

void session_settings_read(struct session_settings *s, struct config *cfg)
{
	config_read(cfg, sessions_section.path, &sessions_section, s);
	const char *at = s->daily;

	s->daily_minute = at ? quiet_hours_parse_time(&at) : -1;
	if (at && (s->daily_minute < 0 || *at != '\0'))
		config_error(cfg, "sessions.daily",
		    "daily: \"%.40s\" is no time of the day: write it as \"04:00\", in local time.",
		    s->daily);
	chat_settings_read(&s->chats, cfg);
}

void session_settings_clear(struct session_settings *s)
{
	config_settings_clear(keys, ARRAY_LEN(keys), s);
	chat_settings_clear(&s->chats);
}

/* Returns the latest time up to now_ms at which this minute of the day began. By the calendar, as days differ
 * in length. */
static int64_t last_minute(int minute, int64_t now_ms)
{
	time_t now = (time_t)(now_ms / 1000), at;
	struct tm tm;

	if (!localtime_r(&now, &tm))
		return 0;
	tm.tm_mday -= tm.tm_hour * 60 + tm.tm_min < minute;
	tm.tm_hour = minute / 60;
	tm.tm_min = minute % 60;
	tm.tm_sec = 0;
	tm.tm_isdst = -1;
	at = mktime(&tm);
	return at > 0 ? (int64_t)at * 1000 : 0;
}

int64_t session_settings_cutoff_ms(const struct session_settings *s, int64_t now_ms)
{
	int64_t quiet = s->idle_ms > 0 ? now_ms - s->idle_ms + 1 : 0,
		day = s->daily && s->daily_minute >= 0 ? last_minute(s->daily_minute, now_ms) : 0;

	return quiet > day ? quiet : day;
}
