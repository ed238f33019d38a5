#include "base/mem.h"
#include "playground/discord/http/call.h"
#include "playground/server/exchange.h"

/* By their codes. */
static const struct {
	enum cord_code code;
	int status;
	const char *text;
	bool refused; /* the request itself is invalid, whatever the state */
} failures[] = {
    {CORD_UNKNOWN_APPLICATION, 404, "Unknown Application", false},
    {CORD_UNKNOWN_CHANNEL, 404, "Unknown Channel", false},
    {CORD_UNKNOWN_GUILD, 404, "Unknown Guild", false},
    {CORD_UNKNOWN_INTEGRATION, 404, "Unknown Integration", false},
    {CORD_UNKNOWN_INVITE, 404, "Unknown Invite", false},
    {CORD_UNKNOWN_MEMBER, 404, "Unknown Member", false},
    {CORD_UNKNOWN_MESSAGE, 404, "Unknown Message", false},
    {CORD_UNKNOWN_OVERWRITE, 404, "Unknown Permission Overwrite", false},
    {CORD_UNKNOWN_ROLE, 404, "Unknown Role", false},
    {CORD_UNKNOWN_USER, 404, "Unknown User", false},
    {CORD_UNKNOWN_EMOJI, 400, "Unknown Emoji", true},
    {CORD_UNKNOWN_WEBHOOK, 404, "Unknown Webhook", false},
    {CORD_UNKNOWN_BAN, 404, "Unknown Ban", false},
    {CORD_UNKNOWN_ENTITLEMENT, 404, "Unknown Entitlement", false},
    {CORD_UNKNOWN_TEMPLATE, 404, "Unknown Guild Template", false},
    {CORD_UNKNOWN_STICKER, 404, "Unknown Sticker", false},
    {CORD_UNKNOWN_STICKER_PACK, 404, "Unknown Sticker Pack", false},
    {CORD_UNKNOWN_INTERACTION, 404, "Unknown interaction", false},
    {CORD_UNKNOWN_COMMAND, 404, "Unknown application command", false},
    {CORD_UNKNOWN_VOICE_STATE, 404, "Unknown Voice State", false},
    {CORD_UNKNOWN_COMMAND_PERMISSIONS, 404, "Unknown application command permissions", false},
    {CORD_UNKNOWN_STAGE, 404, "Unknown Stage Instance", false},
    {CORD_UNKNOWN_WELCOME_SCREEN, 404, "Unknown Guild Welcome Screen", false},
    {CORD_UNKNOWN_SCHEDULED, 404, "Unknown Guild Scheduled Event", false},
    {CORD_UNKNOWN_TAG, 404, "Unknown Tag", false},
    {CORD_UNKNOWN_SOUND, 404, "Unknown sound", false},
    {CORD_ONLY_USERS, 403, "Bots cannot use this endpoint", true},
    {CORD_NOT_THIS_APPLICATION, 403, "You are not authorized to perform this action on this application",
	true},
    {CORD_SLOWMODE, 429, "This action cannot be performed due to slowmode rate limit.", false},
    {CORD_TOO_MANY_PINS, 400, "Maximum number of pins reached for the channel (250)", false},
    {CORD_TOO_MANY_ROLES, 400, "Maximum number of guild roles reached (250)", false},
    {CORD_TOO_MANY_WEBHOOKS, 400, "Maximum number of webhooks reached (15)", false},
    {CORD_TOO_MANY_EMOJIS, 400, "Maximum number of emojis reached (50)", false},
    {CORD_TOO_MANY_REACTIONS, 400, "Maximum number of reactions reached (20)", false},
    {CORD_TOO_MANY_CHANNELS, 400, "Maximum number of guild channels reached (500)", false},
    {CORD_TOO_MANY_FILES, 400, "Maximum number of attachments in a message reached (10)", true},
    {CORD_TOO_MANY_INVITES, 400, "Maximum number of invites reached (1000)", false},
    {CORD_TEMPLATE_EXISTS, 400, "Guild already has a template", false},
    {CORD_TOO_MANY_COMMANDS, 400, "Maximum number of application commands reached (100).", true},
    {CORD_TOO_MANY_SCHEDULED, 400, "Maximum number of uncompleted guild scheduled events reached (100)",
	false},
    {CORD_TOO_MANY_STICKERS, 400, "Maximum number of stickers reached (5)", false},
    {CORD_TOO_MANY_SOUNDS, 400, "Maximum number of soundboard sounds reached (8)", false},
    {CORD_TOO_MANY_OLD_EDITS, 429,
	"Maximum number of edits to messages older than 1 hour reached. Try again later", false},
    {CORD_TOO_LARGE, 413, "Request entity too large", true},
    {CORD_USER_IS_BANNED, 403, "The user is banned from this guild.", false},
    {CORD_ONE_PARENT, 400, "Only one channel can have a parent_id modified at a time", true},
    {CORD_NOT_IN_VOICE, 400, "Target user is not connected to voice.", false},
    {CORD_CROSSPOSTED, 400, "This message has already been crossposted.", false},
    {CORD_COMMAND_NAME_TAKEN, 400, "An application command with that name already exists", true},
    {CORD_IN_FORUM, 400, "Cannot send a message in a forum channel", true},
    {CORD_ALREADY_ACKNOWLEDGED, 400, "Interaction has already been acknowledged.", true},
    {CORD_TAG_NAMES, 400, "Tag names must be unique", true},
    {CORD_TAG_REQUIRED, 400, "A tag is required to create a forum post in this channel", false},
    {CORD_MISSING_ACCESS, 403, "Missing Access", false},
    {CORD_NOT_IN_DM, 403, "Cannot execute action on a DM channel", true},
    {CORD_WIDGET_DISABLED, 403, "Widget Disabled", false},
    {CORD_NOT_OWN_MESSAGE, 403, "Cannot edit a message authored by another user", true},
    {CORD_EMPTY_MESSAGE, 400, "Cannot send an empty message", true},
    {CORD_NO_DM_TO_USER, 403, "Cannot send messages to this user", false},
    {CORD_NOT_TEXT, 400, "Cannot send messages in a non-text channel", true},
    {CORD_MISSING_PERMISSIONS, 403, "Missing Permissions", false},
    {CORD_BULK_COUNT, 400, "You can only bulk delete messages between 2 and 100", true},
    {CORD_INVALID_INVITE, 400, "Invite code is either invalid or taken.", false},
    {CORD_SYSTEM_MESSAGE, 403, "Cannot execute action on a system message", true},
    {CORD_WRONG_CHANNEL_TYPE, 400, "Cannot execute action on this channel type", true},
    {CORD_INVALID_WEBHOOK_TOKEN, 401, "Invalid Webhook Token", false},
    {CORD_INVALID_ROLE, 400, "Invalid Role", true},
    {CORD_BULK_TOO_OLD, 400, "A message provided was too old to bulk delete", true},
    {CORD_INVALID_FORM, 400, "Invalid Form Body", true},
    {CORD_INVALID_API_VERSION, 400, "Invalid API version provided", true},
    {CORD_INVALID_ASSET, 400, "Invalid Asset", true},
    {CORD_INVALID_GUILD, 404, "Invalid Guild", false},
    {CORD_INVALID_MESSAGE_TYPE, 400, "Invalid message type", true},
    {CORD_INVALID_STICKER, 400, "Invalid sticker sent", true},
    {CORD_THREAD_ARCHIVED, 400, "Thread is archived", false},
    {CORD_INVALID_JSON, 400, "The request body contains invalid JSON.", true},
    {CORD_VOICE_CONTENT, 400, "Voice messages do not support additional content.", true},
    {CORD_VOICE_ONE_FILE, 400, "Voice messages must have a single audio attachment.", true},
    {CORD_VOICE_METADATA, 400, "Voice messages must have supporting metadata.", true},
    {CORD_VOICE_NO_EDIT, 400, "Voice messages cannot be edited.", true},
    {CORD_STAGE_OPEN, 400, "The Stage is already open", false},
    {CORD_THREAD_EXISTS, 400, "A thread has already been created for this message", false},
    {CORD_THREAD_LOCKED, 400, "This thread is locked", false},
    {CORD_EVENT_FINISHED, 400, "Cannot update a finished event", false},
    {CORD_BLOCKED_BY_RULE, 400, "Message was blocked by automatic moderation", false},
    {CORD_WEBHOOK_FORUM_THREAD, 400, "Webhooks posted to forum channels must have a thread_name or thread_id",
	true},
    {CORD_WEBHOOK_FORUM_BOTH, 400,
	"Webhooks posted to forum channels cannot have both a thread_name and thread_id", true},
    {CORD_WEBHOOK_ONLY_FORUM, 400, "Webhooks can only create threads in forum channels", true},
    {CORD_POLL_EXPIRED, 400, "Poll expired", false},
    {CORD_POLL_CHANNEL, 400, "Invalid channel type for poll creation", true},
    {CORD_POLL_NO_EDIT, 400, "Cannot edit a poll message", true},
    {CORD_NO_POLL, 400, "Cannot expire a non-poll message", true},
};

int cord_fail(struct cord_call *call, enum cord_code code)
{
	size_t i = 0;

	while (i + 1 < ARRAY_LEN(failures) && failures[i].code != code)
		i++;
	call->fail_status = failures[i].status;
	call->fail_code = (int)failures[i].code;
	call->fail_text = failures[i].text;
	if (failures[i].refused)
		exchange_problem(call->ex, "%d: %s", call->fail_code, call->fail_text);
	return -1;
}
