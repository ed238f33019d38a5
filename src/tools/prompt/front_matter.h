#ifndef TOOLS_PROMPT_FRONT_MATTER_H
#define TOOLS_PROMPT_FRONT_MATTER_H
/*
 * The front matter of a SKILL.md: between two lines "---", of YAML what people write there: "key: value",
 * quoted or not, going on in lines that are indented, also behind ">" and "|". Pure.
 */

struct skill_front_matter {
	char *name, *description; /* the description on one line */
	const char *problem;      /* what is wrong: a sentence, a literal */
};

/* 0, or -1 with the problem. skill_front_matter_clear in any case. */
int skill_front_matter_read(const char *text, struct skill_front_matter *out);
void skill_front_matter_clear(struct skill_front_matter *h);

#endif
