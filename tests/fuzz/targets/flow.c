/* Lines of a flow file: each is a step, or has a mistake that a sentence tells. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "fuzz/fuzz.h"
#include "playground/flow/run.h"

void fuzz_flow(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);

	while (in.at < in.end) {
		size_t len;
		char *line = fuzz_until(&in, '\n', &len);
		struct flow_step step = {0};
		struct error err = {0};

		line[strcspn(line, "\r")] = '\0';
		if (line[0] == '\0' || strchr(" \t#", line[0]))
			; /* is none, or has its blanks taken off before */
		else if (flow_step_read(&step, line, &err) != 0)
			fuzz_hold_sentence(err.text);
		else
			HOLDS(step.name && (step.verb || step.body));
		flow_step_clear(&step);
		free(line);
	}
}

FUZZ_PROGRAM(fuzz_flow)
