#include <string.h>

#include "base/mem.h"
#include "playground/discord/methods/methods.h"

/* By the names of the schemas. */
static const struct {
	const char *object;
	cord_check_fn *check;
} checks[] = {
    {"ActionRowComponentForMessageRequest", cord_check_row},
    {"ApplicationCommandCreateRequest", cord_check_command},
    {"ApplicationCommandUpdateRequest", cord_check_command},
    {"ButtonComponentForMessageRequest", cord_check_button},
    {"ChannelSelectComponentForMessageRequest", cord_check_select},
    {"MentionableSelectComponentForMessageRequest", cord_check_select},
    {"MessageAllowedMentionsRequest", cord_check_allowed_mentions},
    {"RichEmbed", cord_check_embed},
    {"RoleSelectComponentForMessageRequest", cord_check_select},
    {"StringSelectComponentForMessageRequest", cord_check_select},
    {"UserSelectComponentForMessageRequest", cord_check_select},
};

void cord_check_object(struct judge *j, const struct spec_record *r, struct json_object *o)
{
	struct cord_errors *e = (struct cord_errors *)j;

	for (size_t i = 0; i < ARRAY_LEN(checks); i++)
		if (strcmp(checks[i].object, r->name) == 0)
			checks[i].check(o, e);
	if (strncmp(r->name, "ApplicationCommand", 18) == 0 && str_ends_with(r->name, "Option"))
		cord_check_option(o, e);
}
