/* channels/slack/render: whatever a model writes, each part is one that Slack takes, and mentions nobody. */
#include <stdlib.h>
#include <string.h>

#include "base/text/utf8.h"
#include "channels/shared/blank.h"
#include "channels/slack/render.h"
#include "fuzz/fuzz.h"

#define UNITS 500

void fuzz_slack_text(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);
	size_t len;
	char *text = fuzz_rest(&in, &len), **parts = slack_split_to(text, UNITS);

	HOLDS(parts[0]);
	for (size_t i = 0; parts[i]; i++) {
		char *shown = slack_render(parts[i]);

		HOLDS(utf8_valid(parts[i], strlen(parts[i])) && utf8_valid(shown, strlen(shown)));
		HOLDS(utf8_count(shown, strlen(shown), UTF8_UTF16) <= UNITS);
		HOLDS(!text_is_blank(shown) || !parts[1]);
		HOLDS(!strstr(shown, "<!") && !strstr(shown, "<@") && !strstr(shown, "<#"));
		free(shown);
		free(parts[i]);
	}
	free(parts);
	free(text);
}

FUZZ_PROGRAM(fuzz_slack_text)
