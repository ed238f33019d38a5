#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <sys/wait.h>
#include <unistd.h>

#include "config.h"
#include "base/buf.h"
#include "base/mem.h"

#define BOT "bot exec python3 " SOURCE_DIR "/tests/playground/flow/flow_bot.py\nchat telegram private Ann\n"

#define SOCKET_BOT "bot exec python3 " SOURCE_DIR "/tests/playground/flow/socket_bot.py "

/* Plays a flow file: the exit status, and all that was written. */
static int play(const char *flow, struct buf *out)
{
	const char *build = getenv("MYNA_BUILD");
	char path[] = "/tmp/myna-flow-XXXXXX", chunk[512];
	int fd = mkstemp(path), status;
	char *command = xasprintf("%s/myna-playground --flow %s 2>&1", build ? build : ".", path);
	FILE *pipe;
	size_t n;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, flow, strlen(flow)), (ssize_t)strlen(flow));
	pipe = popen(command, "r");
	assert_non_null(pipe);
	while ((n = fread(chunk, 1, sizeof(chunk), pipe)) > 0)
		buf_add(out, chunk, n);
	status = pclose(pipe);
	close(fd);
	unlink(path);
	free(command);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void expect(const char *flow, int status, const char *const *texts)
{
	struct buf out = BUF_INIT;
	int got = play(flow, &out);

	for (size_t i = 0; texts[i]; i++)
		if (!strstr(out.data, texts[i]))
			fail_msg("there is no \"%s\" in:\n%s", texts[i], out.data);
	if (got != status)
		fail_msg("exit status %d:\n%s", got, out.data);
	buf_clear(&out);
}

static void people_and_the_bot_take_turns(void **state)
{
	(void)state;
	expect("# a comment\n\n" BOT "ready\nsay Ann hello\\nthere\n  expect You said: hello\\nthere\n"
	       "press Ann Well done\nshows Thank you.\nreact Ann 👍\n"
	       "silence 0.1\npause 0.1\nchat telegram private Bea\nsay Bea hello\nexpect "
	       "/^You.*hello$/\naccepted\n",
	    0, (const char *const[]){": ok, 14 steps\n", NULL});
}

static void what_goes_wrong_on_the_way_is_ordered(void **state)
{
	(void)state;
	expect(BOT
	    "say Ann one\nexpect one\n"
	    "fault {\"method\":\"sendMessage\",\"kind\":\"status\",\"status\":502}\nsay Ann two\nexpect two\n"
	    "kill\nsay Ann three\nstart\nexpect three\nstop\nsilence 0.1\naccepted\n",
	    0, (const char *const[]){": ok, ", NULL});
}

static void any_action_of_control_is_a_step(void **state)
{
	(void)state;
	expect(BOT "say {\"user\":\"Ann\",\"poll\":{\"question\":\"Tea?\",\"answers\":[\"yes\",\"no\"]}}\n"
		   "vote Ann {\"message_id\":\"newest\",\"answer\":\"no\"}\n"
		   "say Ann hello\nexpect hello\npin Ann {\"message_id\":\"newest\"}\n"
		   "chat telegram group -5\nmember Ann {\"action\":\"add\",\"who\":\"Bea\"}\nclock "
		   "{\"advance\":86400}\n"
		   "chat discord channel dev\nstop\nvoice Ann {\"leave\":true}\n",
	    1, (const char *const[]){":13: voice: there is no channel dev in Playground\n", NULL});
}

static void people_forward_speak_and_get_roles_in_flows(void **state)
{
	static const char voice[] =
	    "say Ann {\"files\":[{\"name\":\"v.ogg\",\"size\":2000,\"kind\":\"voice\",\"duration\":1}]}\n";
	char *flow = xasprintf("chat telegram private Ann\nsay Ann hello\n"
			       "say Ann {\"forward\":{\"message_id\":\"newest\"}}\n%s"
			       "chat discord channel dev\nsay Ann hello\n"
			       "say Ann {\"forward\":{\"message_id\":\"newest\"}}\n%s"
			       "member Ann {\"action\":\"give\",\"role\":\"myna\"}\n"
			       "member Ann {\"action\":\"take\",\"role\":\"nobody's\"}\n",
	    voice, voice);

	(void)state;
	expect(flow, 1, (const char *const[]){":10: member: ", NULL});
	free(flow);
}

/* The same as one of a text: it is the call when it is an object, and a text when it only looks like one. */
static void a_step_of_a_text_takes_an_object_instead(void **state)
{
	(void)state;
	expect("chat telegram private Ann\nsay Ann {not an object}\nsay Ann "
	       "{\"forward\":{\"message_id\":\"9\"}}\n",
	    1, (const char *const[]){":3: say: ", "Ann: {not an object}", NULL});
}

static void people_operate_discord_in_flows(void **state)
{
	(void)state;
	expect("chat discord channel dev\nmember Ann {\"action\":\"own\"}\n"
	       "operate Ann "
	       "{\"method\":\"POST\",\"path\":\"/guilds/{guild}/roles\",\"body\":{\"name\":\"crew\"}}\n"
	       "member Ann {\"action\":\"give\",\"role\":\"crew\"}\n"
	       "operate Ann {\"method\":\"POST\",\"path\":\"/channels/{channel}/messages\"}\n",
	    1,
	    (const char *const[]){":5: operate: create_message is for bots: people have /control/say", NULL});
}

/* What is chosen in a menu of a message, and in one of a form. */
static void people_choose_in_menus_and_fill_in_forms_in_flows(void **state)
{
	(void)state;
	expect(SOCKET_BOT
	    "discord\nchat discord private Ann\nsay Ann hello\nexpect Here you are\n"
	    "press {\"user\":\"Ann\",\"message_id\":\"newest\",\"button\":\"colour\",\"values\":[\"Blue\"]}\n"
	    "expect You chose blue\npress Ann Open\n"
	    "submit Ann {\"fields\":{\"name\":\"Ann\",\"colour\":[\"Red\"]}}\nexpect Hello Ann in "
	    "red\nclean\nwithin 0.2\n"
	    "submit Ann {\"fields\":{}}\n",
	    1, (const char *const[]){":12: submit: no modal is open there", NULL});
	expect(SOCKET_BOT
	    "slack\nchat slack private Ann\nsay Ann hello\nexpect Here you are\n"
	    "press {\"user\":\"Ann\",\"message_id\":\"newest\",\"button\":\"colour\",\"value\":\"Blue\"}\n"
	    "expect You chose blue\npress Ann Open\nexpect Fill it in\n"
	    "submit Ann {\"values\":{\"Name\":\"Ann\",\"Colour\":\"Red\"}}\nexpect Hello Ann in red\nclean\n",
	    0, (const char *const[]){": ok, 11 steps\n", NULL});
}

static void an_answer_that_does_not_come_is_told_with_its_line(void **state)
{
	(void)state;
	expect(BOT "say Ann hello\nexpect hello\nwithin 0.2\nshows hello\nexpect hello\n",
	    1, /* it was answered once */
	    (const char *const[]){":7: expect: the bot has not said \"hello\" within 0.2 s\n",
		"telegram, Ann:", "Ann: hello\n", "You said: hello [Well done]\n", NULL});
	expect(BOT "say Ann hello\nexpect hello\nwithin 0.2\npress Ann Begin\n", 1,
	    (const char *const[]){":6: press: no message of the bot has a button \"Begin\"", NULL});
}

static void a_bot_that_ends_is_not_waited_for(void **state)
{
	(void)state;
	expect(BOT "say Ann break\nexpect broken\n", 1,
	    (const char *const[]){":4: expect: the bot has ended, with exit status 3\n", NULL});
	expect("bot exit 7\nchat slack private Ann\nsay Ann hello\n", 1,
	    (const char *const[]){":3: say: the bot has ended, with exit status 7\n", NULL});
}

static void a_bot_that_does_not_come_is_told(void **state)
{
	(void)state;
	expect("chat telegram private Ann\nwithin 0.1\nsay Ann hello\nexpect hello\n", 1,
	    (const char *const[]){
		":4: expect: the bot has not said \"hello\" within 0.1 s, and no bot has come", NULL});
	expect("bot sleep 60\nchat slack private Ann\nwithin 0.1\nsay Ann hello\n", 1,
	    (const char *const[]){
		":4: say: no bot has come to slack within 0.1 s: give it the address http://127.0.0.1:",
		"/slack/api/", NULL});
}

/* It would meet nothing, and the flow would not notice. */
static void a_fault_of_nothing_is_refused(void **state)
{
	(void)state;
	expect("chat telegram private Ann\nfault {\"method\":\"sendMesage\",\"kind\":\"close\"}\n", 1,
	    (const char *const[]){":2: fault: telegram has no method \"sendMesage\"", NULL});
	expect("chat discord private Ann\nfault {\"methd\":\"*\",\"kind\":\"close\"}\n", 1,
	    (const char *const[]){":2: fault: \"methd\" means nothing here", NULL});
}

static void a_request_that_the_platform_refuses_fails_the_flow(void **state)
{
	(void)state;
	expect(BOT "say Ann nonsense\nexpect nonsense\naccepted\n", 1,
	    (const char *const[]){":5: accepted: telegram refused sendMessage: ", "has no parameter", NULL});
	expect(BOT "say Ann nonsense\nexpect nonsense\nclean\n", 1,
	    (const char *const[]){":5: clean: telegram sendMessage: ", NULL});
}

static void every_mistake_of_a_file_is_told_before_anything_is_done(void **state)
{
	(void)state;
	expect("say Ann hello\nkill\nchat irc private Ann\nchat telegram\nexpect\nwithin fish\npress "
	       "Ann\nexpect /(/\n"
	       "fault telegram\nfault {\"method\"\nbogus\naccepted now\nbogus {}\npause 0\n",
	    64,
	    (const char *const[]){":1: say first where", ":2: say first what the bot is",
		":3: there is no platform \"irc\"", ":4: chat wants: chat PLATFORM KIND NAME",
		":5: expect wants", ":6: within wants seconds", ":7: press wants: press PERSON BUTTON",
		":8: the pattern /(/ cannot be read", ":9: fault is a call of the control interface",
		":10: not JSON", ":11: there is no step", ":12: nothing may stand behind accepted",
		":13: there is no call /control/bogus", ":14: pause wants seconds", NULL});
	expect("sya Ann hello\nclok {}\nchat slack direct Ann\n", 64,
	    (const char *const[]){":1: there is no step \"sya\". Did you mean \"say\"?",
		":2: there is no call /control/clok. Did you mean clock?",
		":3: slack has no kind of chat \"direct\", only these: private mpim group channel", NULL});
	expect("# nothing\n", 64, (const char *const[]){"there is no step in it", NULL});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(people_and_the_bot_take_turns),
	    cmocka_unit_test(what_goes_wrong_on_the_way_is_ordered),
	    cmocka_unit_test(any_action_of_control_is_a_step),
	    cmocka_unit_test(people_forward_speak_and_get_roles_in_flows),
	    cmocka_unit_test(a_step_of_a_text_takes_an_object_instead),
	    cmocka_unit_test(people_operate_discord_in_flows),
	    cmocka_unit_test(people_choose_in_menus_and_fill_in_forms_in_flows),
	    cmocka_unit_test(an_answer_that_does_not_come_is_told_with_its_line),
	    cmocka_unit_test(a_bot_that_ends_is_not_waited_for),
	    cmocka_unit_test(a_bot_that_does_not_come_is_told),
	    cmocka_unit_test(a_fault_of_nothing_is_refused),
	    cmocka_unit_test(a_request_that_the_platform_refuses_fails_the_flow),
	    cmocka_unit_test(every_mistake_of_a_file_is_told_before_anything_is_done),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
