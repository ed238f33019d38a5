/* A state of a simulated platform, as people post it or as a file has it: the name of the platform, a line
 * break, JSON. What is taken shows and keeps itself; what is refused leaves nothing. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "fuzz/stage.h"
#include "playground/platform.h"

void fuzz_snapshot(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);
	size_t len;
	char *name = fuzz_until(&in, '\n', &len), *text = fuzz_rest(&in, &len);
	struct json_object *state = json_parse_object(text, len, NULL);
	struct error err = {0};

	for (size_t i = 0; state && platforms[i]; i++) {
		struct fuzz_stage s;

		if (strcmp(platforms[i]->name, name) != 0)
			continue;
		fuzz_stage_open(&s, platforms[i]);
		s.pg.strict.on = false; /* what people write into a state is theirs */
		if (s.platform->load(s.world, state, &err) != 0) {
			fuzz_hold_sentence(err.text);
			s.platform->reset(s.world);
		}
		fuzz_stage_close(&s);
	}
	json_object_put(state);
	free(text);
	free(name);
}

FUZZ_PROGRAM(fuzz_snapshot)
