#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/mem.h"
#include "playground/telegram/methods/compose.h"
#include "playground/telegram/text/formatted.h"

#define SOURCE_MAX (1 << 20) /* bytes; longer texts are too long whatever their entities */

int compose_object(struct call *call, struct json_object *o, const char *what)
{
	return json_object_is_type(o, json_type_object) ? 0 :
							  call_refuse(call, "object expected as %s", what);
}

static int parse_text(struct call *call, const char *text, const char *mode, struct formatted *out)
{
	size_t len = strlen(text);
	struct error err;
	int ret;

	if (strcasecmp(mode, "html") == 0)
		ret = html_parse(text, len, out, &err);
	else if (strcasecmp(mode, "markdownv2") == 0)
		ret = markdown_parse_v2(text, len, out, &err);
	else if (strcasecmp(mode, "markdown") == 0)
		ret = markdown_parse_legacy(text, len, out, &err);
	else
		return call_refuse(call, "unsupported parse_mode");
	return ret == 0 ? 0 : call_refuse(call, "can't parse entities: %s", err.text);
}

int compose_read(struct call *call, const struct compose_source *source, struct formatted *out)
{
	const char *text = json_get_str(source->in, source->text),
		   *mode = json_get_str(source->in, source->mode);
	struct json_object *entities = json_get(source->in, source->entities);
	struct error err;

	if (!text || text[0] == '\0')
		return 0;
	if (mode && mode[0] != '\0') {
		if (parse_text(call, text, mode, out) != 0)
			return -1;
	} else {
		buf_addstr(&out->text, text);
		if (entities && !json_object_is_type(entities, json_type_array))
			return call_refuse(call, "expected an Array of MessageEntity");
		if (entities && formatted_read_entities(out, entities, &err) != 0)
			return call_refuse(call, "can't parse MessageEntity: %s", err.text);
	}
	formatted_finish(out);
	return 0;
}

int compose_text(struct call *call, struct formatted *out, const char *too_long, bool may_be_empty)
{
	const char *text = json_get_str(call->params, "text");

	if (!text || text[0] == '\0')
		return may_be_empty ? 0 : call_refuse(call, "message text is empty");
	if (strlen(text) > SOURCE_MAX)
		return call_refuse(call, "%s", too_long);
	if (compose_read(
		call, &(struct compose_source){call->params, "text", "parse_mode", "entities"}, out) != 0)
		return -1;
	if (out->text.len == 0 && !may_be_empty)
		return call_refuse(call, "text must be non-empty");
	if (formatted_units(out) > COMPOSE_TEXT_MAX)
		return call_refuse(call, "%s", too_long);
	return 0;
}

int compose_caption(struct call *call, struct json_object *o, struct formatted *out)
{
	struct compose_source source = {o, "caption", "parse_mode", "caption_entities"};
	const char *text = json_get_str(o, "caption");

	if ((text && strlen(text) > SOURCE_MAX) || compose_read(call, &source, out) != 0 ||
	    formatted_units(out) > COMPOSE_CAPTION_MAX)
		return call->error_code != 0 ? -1 : call_refuse(call, "message caption is too long");
	return 0;
}

int compose_preview(struct call *call, char **out)
{
	struct json_object *o = json_get(call->params, "link_preview_options");

	*out = !o && json_get_bool(call->params, "disable_web_page_preview", false) ?
	    xstrdup("{\"is_disabled\":true}") :
	    NULL;
	if (!o)
		return 0;
	if (compose_object(call, o, "link preview options") != 0)
		return -1;
	if (json_object_object_length(o) > 0)
		*out = json_text(o);
	return 0;
}
