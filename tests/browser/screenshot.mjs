// The picture of the README: all three platforms in use, with the model's requests beside them.
import { PaneDriver, Rig } from "./rig.mjs";

const rig = new Rig();
try {
	await rig.start();
	const page = await rig.open({ viewport: { width: 1680, height: 830 } });
	const [telegram, slack, discord] = ["telegram", "slack", "discord"].map((name) => new PaneDriver(page, name));
	const as = (pane, label, name) => pane.node.getByLabel(`Write on ${label} as`).selectOption(name);
	await telegram.say("read notes.txt");
	await telegram.hears("Ann signs");
	await telegram.tool(telegram.lastFromBot(), "React");
	await page.getByRole("dialog").getByRole("button", { name: "thumbs up" }).click();
	await slack.openChat("release");
	await as(slack, "Slack", "bea");
	await slack.say("Release 1.4 is tagged. :tada:");
	await as(slack, "Slack", "ann");
	await slack.say("@bot tell everyone that release 1.4 is out");
	await slack.node.locator(".replies").first().waitFor();
	await slack.say("@bot markdown sample");
	await slack.node.locator(".replies").nth(1).click();
	await slack.hears("A quotation");
	await discord.openChat("builds");
	await discord.hears("release 1.4 is out");
	await as(discord, "Discord", "cem");
	await discord.say("Great! @myna what is 17*23");
	await discord.hears("391");
	await discord.tool(discord.lastFromBot(), "React");
	await page.getByRole("dialog").getByRole("button", { name: "party" }).click();
	await discord.say("@myna count to 12");
	await telegram.say("tell ops that the build is green");
	await telegram.hears("To ops");
	await telegram.say("count to 40");
	await page.waitForTimeout(3500);
	await page.locator("#view-model .row", { hasText: "read notes.txt" }).locator(":scope > summary").click();
	await page.getByRole("tab", { name: "Model" }).focus();
	await page.mouse.move(840, 20);
	await page.locator("body").evaluate(() => document.activeElement.blur());
	await page.screenshot({ path: process.argv[2] });
} finally {
	await rig.stop();
}
