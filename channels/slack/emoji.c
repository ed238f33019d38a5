#include "channels/slack/emoji.h"

#include <string.h>

#include "base/mem.h"

static const struct {
	const char *emoji, *name;
} emoji[] = {
    {"✅", "white_check_mark"},
    {"✋", "hand"},
    {"✍", "writing_hand"},
    {"✔", "heavy_check_mark"},
    {"✨", "sparkles"},
    {"❌", "x"},
    {"❓", "question"},
    {"❗", "exclamation"},
    {"❤", "heart"},
    {"⌛", "hourglass"},
    {"⏰", "alarm_clock"},
    {"⏳", "hourglass_flowing_sand"},
    {"⚙", "gear"},
    {"⚠", "warning"},
    {"⚡", "zap"},
    {"⛔", "no_entry"},
    {"⭐", "star"},
    {"🌱", "seedling"},
    {"🎉", "tada"},
    {"🏁", "checkered_flag"},
    {"🐢", "turtle"},
    {"🐱", "cat"},
    {"🐶", "dog"},
    {"👀", "eyes"},
    {"👇", "point_down"},
    {"👋", "wave"},
    {"👌", "ok_hand"},
    {"👍", "+1"},
    {"👎", "-1"},
    {"👏", "clap"},
    {"💡", "bulb"},
    {"💬", "speech_balloon"},
    {"💯", "100"},
    {"💻", "computer"},
    {"📌", "pushpin"},
    {"📎", "paperclip"},
    {"📝", "memo"},
    {"🔄", "arrows_counterclockwise"},
    {"🔍", "mag"},
    {"🔥", "fire"},
    {"🔧", "wrench"},
    {"🕐", "clock1"},
    {"😀", "grinning"},
    {"😂", "joy"},
    {"😄", "smile"},
    {"😊", "blush"},
    {"😢", "cry"},
    {"🙂", "slightly_smiling_face"},
    {"🙏", "pray"},
    {"🚀", "rocket"},
    {"🚧", "construction"},
    {"🛑", "octagonal_sign"},
    {"🤔", "thinking_face"},
    {"🤖", "robot_face"},
    {"🤝", "handshake"},
    {"🥳", "partying_face"},
    {"🧠", "brain"},
    {"🫡", "saluting_face"},
};

/* Behind a symbol it asks for the colourful form. */
#define VARIATION "\xef\xb8\x8f"

const char *slack_emoji_name(const char *text, char *out, unsigned long size)
{
	size_t len = strlen(text), n = strlen(VARIATION);

	if (len > n && strcmp(text + len - n, VARIATION) == 0)
		len -= n;
	for (size_t i = 0; i < ARRAY_LEN(emoji); i++)
		if (strlen(emoji[i].emoji) == len && memcmp(emoji[i].emoji, text, len) == 0)
			return emoji[i].name;
	if (len > 2 && text[0] == ':' && text[len - 1] == ':') {
		text++;
		len -= 2;
	}
	if (len == 0 || len >= size || strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_+-'") < len)
		return NULL;
	memcpy(out, text, len);
	out[len] = '\0';
	return out;
}

/* Other names of the same, as events may have them. */
static const char *const others[][2] = {{"thumbsdown", "-1"}, {"thumbsup", "+1"}, {"raised_hand", "hand"}};

bool slack_emoji_is(const char *name, const char *text)
{
	char space[100];
	const char *wanted = text && *text != '\0' ? slack_emoji_name(text, space, sizeof(space)) : NULL;
	size_t len = strcspn(name, ":");

	for (size_t i = 0; wanted && i < ARRAY_LEN(others); i++)
		if (strlen(others[i][0]) == len && memcmp(others[i][0], name, len) == 0)
			return strcmp(others[i][1], wanted) == 0;
	return wanted && strlen(wanted) == len && memcmp(wanted, name, len) == 0;
}
