#ifndef TOOLS_PROMPT_FRONT_MATTER_H
#define TOOLS_PROMPT_FRONT_MATTER_H
/*
 * Parses the front matter of a SKILL.md: the part of YAML that people write between two "---" lines:
 * "key: value", quoted or not, with indented continuation lines, also after ">" and "|". To libyaml some of
 * it is an error, such as a description with a colon. Pure.
 */

struct skill_front_matter {
	char *name, *description; /* description is on one line */
	const char *problem;      /* the error: a sentence, a literal */
};

/* Returns 0, or -1 with the problem. Call skill_front_matter_clear in any case. */
int skill_front_matter_read(const char *text, struct skill_front_matter *out);
void skill_front_matter_clear(struct skill_front_matter *h);

#endif
