#include "channels/telegram/telegram_internal.h"

#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "bus/channel.h"
#include "channels/telegram/api.h"
#include "channels/telegram/params.h"
#include "channels/telegram/telegram.h"

/* Bot API, ReactionTypeEmoji: bots can set these only. Telegram refuses others with the error of a chat that
 * takes no reactions. */
/* clang-format off */
static const char emojis[] =
    " ❤ 👍 👎 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌"
    " 🕊 🤡 🥱 🥴 😍 🐳 ❤‍🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓"
    " 🍾 💋 🖕 😈 😴 😭 🤓 👻 👨‍💻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡"
    " 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂ 🤷 🤷‍♀"
    " 😡 ";
/* clang-format on */
#define EMOJI_SIZE 24
/* U+FE0F, which asks for a picture, and which Telegram's list has not. */
#define SELECTOR "\xef\xb8\x8f"

/* Copies the emoji without selectors into EMOJI_SIZE bytes. Returns false when a bot cannot react with it. */
static bool read_emoji(const char *emoji, char *out)
{
	size_t len = 0, skip = strlen(SELECTOR);

	for (; *emoji != '\0' && len < EMOJI_SIZE - 1; emoji++) {
		if (strncmp(emoji, SELECTOR, skip) == 0)
			emoji += skip - 1;
		else
			out[len++] = *emoji;
	}
	out[len] = '\0';
	if (*emoji != '\0' || strchr(out, ' '))
		return false;
	for (const char *found = emojis; len > 0 && (found = strstr(found, out)); found++)
		if (found[-1] == ' ' && found[len] == ' ')
			return true;
	return len == 0;
}

static bool is_refused(const struct telegram *tg, const char *chat)
{
	for (size_t i = 0; i < TELEGRAM_NO_REACTION_CHATS; i++)
		if (strcmp(tg->no_reactions.chats[i], chat) == 0)
			return true;
	return false;
}

static void refuse(struct telegram *tg, const char *chat, const struct error *why)
{
	unsigned place = tg->no_reactions.next++ % TELEGRAM_NO_REACTION_CHATS;

	str_copy(tg->no_reactions.chats[place], sizeof(tg->no_reactions.chats[place]), chat);
	log_info(tg->self.channel, "a chat refuses reactions: %s chat=%s", why->text, chat);
}

/* One reaction, or none: a bot has one a message. */
static struct json_object *react_params(const struct address *where, int64_t message_id, const char *emoji)
{
	struct json_object *params = json_object_new_object(), *list = json_object_new_array(), *one;

	telegram_params_chat(params, where->chat);
	json_set_int(params, "message_id", message_id);
	if (*emoji != '\0') {
		one = json_object_new_object();
		json_set_str(one, "type", "emoji");
		json_set_str(one, "emoji", emoji);
		json_object_array_add(list, one);
	}
	json_set(params, "reaction", list);
	return params;
}

static void react_failed(
    struct telegram *tg, const char *chat, const struct telegram_outcome *o, const struct error *why)
{
	if (o->class == TELEGRAM_BAD_TOKEN)
		telegram_refused(tg, why);
	else if (o->class == TELEGRAM_RATE_LIMITED)
		telegram_pause(tg, chat, o->retry_ms + tg->limits->limited_extra_ms);
	else if (why->kind == ERROR_REFUSED)
		refuse(tg, chat, why);
}

int telegram_react(struct task *t, struct channel *ch, const struct address *where, const char *message_id,
    const char *emoji, struct error *err)
{
	struct telegram *tg = ch->state;
	struct telegram_call call = {.method = "setMessageReaction", .total_ms = tg->limits->call_ms};
	struct telegram_answer a;
	struct error why = {0};
	char plain[EMOJI_SIZE];
	int64_t id;

	if (tg->refused || is_refused(tg, where->chat) || !telegram_params_id(message_id, &id))
		return error_set(err, ERROR_REFUSED, "cannot react to this message");
	if (!read_emoji(emoji, plain))
		/* clang-format off */
		return error_set(err, ERROR_REFUSED,
		    "Telegram lets bots react with some emoji only, as 👍 👎 ❤ 🔥 🎉 👀 🤔 👏 🙏 👌 😁 😢 💯, "
		    "and this is none of them");
	/* clang-format on */
	if (!rate_limit_try(&tg->rate_limiter, where->chat))
		return 1;
	call.params = react_params(where, id, plain);
	int rc = telegram_api_call(t, tg, &call, &a, &why);
	if (rc < 0)
		react_failed(tg, where->chat, &a.outcome, &why);
	if (rc < 0 && err)
		*err = why;
	telegram_api_clear(&a);
	return rc;
}
