#include "playground/discord/http/shapes.h"

#include <string.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"

#define CONTENT_MAX    2000 /* for bots; the documentation gives the limit of paying users */
#define EMBEDS_MAX     10
#define COMPONENTS_MAX 40 /* with Components V2; otherwise 5 rows */
#define FILES_MAX      10
#define FLAGS_MAX      INT64_MAX

static const struct cord_field allowed_fields[] = {
    {.name = "parse", .type = CORD_LIST, .max = 1521, .each = CORD_STRING},
    {.name = "replied_user", .type = CORD_BOOL},
    {.name = "roles", .type = CORD_LIST, .max = 100, .each = CORD_ID},
    {.name = "users", .type = CORD_LIST, .max = 100, .each = CORD_ID},
};

static bool lists(struct json_object *array, const char *name)
{
	for (size_t i = 0; array && i < json_object_array_length(array); i++)
		if (strcmp(json_object_get_string(json_object_array_get_idx(array, i)), name) == 0)
			return true;
	return false;
}

/* Discord: resources/message, Allowed Mentions Object. */
static void check_allowed(struct json_object *o, struct cord_errors *e)
{
	static const char *const kinds[] = {"everyone", "roles", "users"};
	struct json_object *parse = json_get_array(o, "parse");

	cord_errors_enter(e, "parse");
	for (size_t i = 0; parse && i < json_object_array_length(parse); i++) {
		const char *kind = json_object_get_string(json_object_array_get_idx(parse, i));
		size_t k = 0;

		while (k < 3 && strcmp(kinds[k], kind) != 0)
			k++;
		cord_errors_enter_index(e, i);
		if (k == 3)
			cord_errors_add(e, NULL, "BASE_TYPE_CHOICES",
			    "Value must be one of ('everyone', 'roles', 'users').");
		cord_errors_leave(e);
	}
	cord_errors_leave(e);
	for (size_t k = 1; k < 3; k++) {
		struct json_object *ids = json_get_array(o, kinds[k]);

		if (lists(parse, kinds[k]) && ids && json_object_array_length(ids) > 0)
			cord_errors_add(e, NULL, "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
			    "parse:[\"%s\"] and %s: [ids...] are mutually exclusive.", kinds[k], kinds[k]);
	}
}

const struct cord_shape cord_shape_allowed_mentions =
    CORD_SHAPE("MessageAllowedMentionsRequest", allowed_fields, check_allowed);

static const struct cord_field attachment_fields[] = {
    {.name = "description", .type = CORD_STRING, .max = 1024},
    {.name = "duration_secs", .type = CORD_NUMBER, .max = 2147483647},
    {.name = "filename", .type = CORD_STRING, .min = 1, .max = 1024},
    {.name = "id", .type = CORD_ID, .flags = CORD_REQUIRED},
    {.name = "is_remix", .type = CORD_BOOL},
    {.name = "is_spoiler", .type = CORD_BOOL},
    {.name = "title", .type = CORD_STRING, .max = 1024},
    {.name = "waveform", .type = CORD_STRING, .max = 400},
};

const struct cord_shape cord_shape_attachment = {
    .name = "MessageAttachmentRequest",
    .fields = attachment_fields,
    .count = ARRAY_LEN(attachment_fields),
    .loose = true,
};

static const struct cord_field reference_fields[] = {
    {.name = "channel_id", .type = CORD_ID},
    {.name = "fail_if_not_exists", .type = CORD_BOOL},
    {.name = "guild_id", .type = CORD_ID},
    {.name = "message_id", .type = CORD_ID, .flags = CORD_REQUIRED},
    {.name = "type", .type = CORD_INT, .max = 1},
};

static const struct cord_shape reference = CORD_SHAPE("MessageReferenceRequest", reference_fields, NULL);

#define ALLOWED                                                                                        \
	{                                                                                              \
		.name = "allowed_mentions", .type = CORD_OBJECT, .shape = &cord_shape_allowed_mentions \
	}
#define ATTACHMENTS                                                                                         \
	{                                                                                                   \
		.name = "attachments", .type = CORD_LIST, .max = FILES_MAX, .shape = &cord_shape_attachment \
	}
#define COMPONENTS                                                              \
	{                                                                       \
		.name = "components", .type = CORD_LIST, .max = COMPONENTS_MAX, \
		.shape = &cord_shape_component                                  \
	}
#define CONTENT                                                            \
	{                                                                  \
		.name = "content", .type = CORD_STRING, .max = CONTENT_MAX \
	}
#define EMBEDS                                                                                     \
	{                                                                                          \
		.name = "embeds", .type = CORD_LIST, .max = EMBEDS_MAX, .shape = &cord_shape_embed \
	}
#define FLAGS                                                       \
	{                                                           \
		.name = "flags", .type = CORD_INT, .max = FLAGS_MAX \
	}
#define POLL                                                                  \
	{                                                                     \
		.name = "poll", .type = CORD_MAP, .flags = CORD_NOT_SIMULATED \
	}

#define PASSED_OVER(n)                                                 \
	{                                                              \
		.name = n, .type = CORD_ANY, .flags = CORD_PASSED_OVER \
	}

/* Discord: resources/message, Create Message. */
static void check_nonce(struct json_object *o, struct cord_errors *e)
{
	const char *nonce = json_get_str(o, "nonce");

	if (nonce && utf8_count(nonce, strlen(nonce), UTF8_CHARS) > 25)
		cord_errors_add(e, "nonce", "NONCE_TYPE_TOO_LONG", "Nonce is longer than 25 characters.");
}

static const struct cord_field create_fields[] = {
    ALLOWED,
    ATTACHMENTS,
    COMPONENTS,
    CONTENT,
    EMBEDS,
    {.name = "enforce_nonce", .type = CORD_BOOL},
    FLAGS,
    {.name = "message_reference", .type = CORD_OBJECT, .shape = &reference},
    {.name = "nonce", .type = CORD_STRING, .flags = CORD_STRINGY},
    POLL,
    {.name = "shared_client_theme", .type = CORD_MAP, .flags = CORD_NOT_SIMULATED},
    {.name = "sticker_ids", .type = CORD_LIST, .flags = CORD_NOT_SIMULATED, .max = 3, .each = CORD_ID},
    {.name = "tts", .type = CORD_BOOL},
};

const struct cord_shape cord_shape_message_create =
    CORD_SHAPE("MessageCreateRequest", create_fields, check_nonce);

static const struct cord_field edit_fields[] = {
    ALLOWED,
    ATTACHMENTS,
    COMPONENTS,
    CONTENT,
    EMBEDS,
    FLAGS,
    {.name = "sticker_ids", .type = CORD_LIST, .flags = CORD_NOT_SIMULATED, .max = 1521, .each = CORD_ID},
    PASSED_OVER("enforce_nonce"),
    PASSED_OVER("message_reference"),
    PASSED_OVER("nonce"),
    PASSED_OVER("tts"),
};

const struct cord_shape cord_shape_message_edit = CORD_SHAPE("MessageEditRequestPartial", edit_fields, NULL);

static const struct cord_field callback_message_fields[] = {
    ALLOWED,
    ATTACHMENTS,
    COMPONENTS,
    CONTENT,
    EMBEDS,
    FLAGS,
    POLL,
    {.name = "tts", .type = CORD_BOOL},
    PASSED_OVER("enforce_nonce"),
    PASSED_OVER("nonce"),
};

const struct cord_shape cord_shape_callback_message =
    CORD_SHAPE("IncomingWebhookInteractionRequest", callback_message_fields, NULL);

static const struct cord_field callback_edit_fields[] = {
    ALLOWED,
    ATTACHMENTS,
    COMPONENTS,
    CONTENT,
    EMBEDS,
    FLAGS,
    PASSED_OVER("enforce_nonce"),
    PASSED_OVER("nonce"),
    PASSED_OVER("poll"),
    PASSED_OVER("tts"),
};

const struct cord_shape cord_shape_callback_edit =
    CORD_SHAPE("IncomingWebhookUpdateForInteractionCallbackRequestPartial", callback_edit_fields, NULL);

static const struct cord_field webhook_send_fields[] = {
    ALLOWED,
    {.name = "applied_tags", .type = CORD_LIST, .flags = CORD_NOT_SIMULATED, .max = 5, .each = CORD_ID},
    ATTACHMENTS,
    {.name = "avatar_url", .type = CORD_URL, .max = 2048},
    COMPONENTS,
    CONTENT,
    EMBEDS,
    FLAGS,
    POLL,
    {.name = "thread_name", .type = CORD_STRING, .flags = CORD_NOT_SIMULATED, .max = 100},
    {.name = "tts", .type = CORD_BOOL},
    {.name = "username", .type = CORD_STRING, .min = 1, .max = 80},
    PASSED_OVER("enforce_nonce"),
    PASSED_OVER("nonce"),
};

const struct cord_shape cord_shape_webhook_send =
    CORD_SHAPE("IncomingWebhookRequestPartial", webhook_send_fields, NULL);

static const struct cord_field webhook_edit_fields[] = {
    ALLOWED,
    ATTACHMENTS,
    COMPONENTS,
    CONTENT,
    EMBEDS,
    FLAGS,
    POLL,
    PASSED_OVER("enforce_nonce"),
    PASSED_OVER("nonce"),
    PASSED_OVER("tts"),
};

const struct cord_shape cord_shape_webhook_edit =
    CORD_SHAPE("IncomingWebhookUpdateRequestPartial", webhook_edit_fields, NULL);

static const struct cord_field open_dm_fields[] = {
    {.name = "access_tokens",
	.type = CORD_LIST,
	.flags = CORD_NOT_SIMULATED,
	.max = 1521,
	.each = CORD_STRING},
    {.name = "nicks", .type = CORD_MAP, .flags = CORD_NOT_SIMULATED},
    {.name = "recipient_id",
	.type = CORD_ID,
	.flags = CORD_REQUIRED}, /* documented as optional, for groups of people */
};

const struct cord_shape cord_shape_open_dm = CORD_SHAPE("CreatePrivateChannelRequest", open_dm_fields, NULL);

/* Discord: resources/channel; one of four durations. */
static void check_archive(struct json_object *o, struct cord_errors *e)
{
	int64_t minutes = json_get_int(o, "auto_archive_duration", 60);

	if (minutes != 60 && minutes != 1440 && minutes != 4320 && minutes != 10080)
		cord_errors_add(e, "auto_archive_duration", "BASE_TYPE_CHOICES",
		    "Value must be one of {4320, 1440, 10080, 60}.");
}

#define ARCHIVE                                                   \
	{                                                         \
		.name = "auto_archive_duration", .type = CORD_INT \
	}
#define SLOWMODE                                                              \
	{                                                                     \
		.name = "rate_limit_per_user", .type = CORD_INT, .max = 21600 \
	}

static const struct cord_field thread_of_message_fields[] = {
    ARCHIVE,
    {.name = "name", .type = CORD_STRING, .flags = CORD_REQUIRED, .min = 1, .max = 100},
    SLOWMODE,
    PASSED_OVER("type"),
};

const struct cord_shape cord_shape_thread_of_message =
    CORD_SHAPE("CreateTextThreadWithMessageRequest", thread_of_message_fields, check_archive);

static void check_thread(struct json_object *o, struct cord_errors *e)
{
	int64_t type = json_get_int(o, "type", 12);

	check_archive(o, e);
	if (type < 10 || type > 12)
		cord_errors_add(e, "type", "BASE_TYPE_CHOICES", "Value must be one of {10, 11, 12}.");
}

static const struct cord_field thread_fields[] = {
    ARCHIVE,
    {.name = "invitable", .type = CORD_BOOL},
    {.name = "name", .type = CORD_STRING, .flags = CORD_REQUIRED, .min = 1, .max = 100},
    SLOWMODE,
    {.name = "type", .type = CORD_INT},
};

const struct cord_shape cord_shape_thread =
    CORD_SHAPE("CreateTextThreadWithoutMessageRequest", thread_fields, check_thread);

static const struct cord_field thread_patch_fields[] = {
    {.name = "applied_tags", .type = CORD_LIST, .flags = CORD_NOT_SIMULATED, .max = 5, .each = CORD_ID},
    {.name = "archived", .type = CORD_BOOL},
    ARCHIVE,
    {.name = "bitrate", .type = CORD_INT, .flags = CORD_NOT_SIMULATED},
    {.name = "flags", .type = CORD_INT, .flags = CORD_NOT_SIMULATED},
    {.name = "invitable", .type = CORD_BOOL},
    {.name = "locked", .type = CORD_BOOL},
    {.name = "name", .type = CORD_STRING, .max = 100},
    SLOWMODE,
    {.name = "rtc_region", .type = CORD_STRING, .flags = CORD_NOT_SIMULATED},
    {.name = "user_limit", .type = CORD_INT, .flags = CORD_NOT_SIMULATED, .max = 99},
    {.name = "video_quality_mode", .type = CORD_INT, .flags = CORD_NOT_SIMULATED},
};

const struct cord_shape cord_shape_thread_patch =
    CORD_SHAPE("UpdateThreadRequestPartial", thread_patch_fields, check_archive);

const struct cord_shape *const cord_shapes[] = {
    &cord_shape_allowed_mentions,
    &cord_shape_attachment,
    &cord_shape_callback_edit,
    &cord_shape_callback_message,
    &cord_shape_command_create,
    &cord_shape_command_patch,
    &cord_shape_command_put,
    &cord_shape_embed,
    &cord_shape_message_create,
    &cord_shape_message_edit,
    &cord_shape_modal,
    &cord_shape_open_dm,
    &cord_shape_thread,
    &cord_shape_thread_of_message,
    &cord_shape_thread_patch,
    &cord_shape_webhook_edit,
    &cord_shape_webhook_send,
    &reference,
    NULL,
};
