// The emoji of the picker, and Slack's names for them.

import { h } from "./dom.js";

const names = {
	"+1": "👍", thumbsup: "👍", "-1": "👎", thumbsdown: "👎", heart: "❤", fire: "🔥", clap: "👏", grin: "😁", thinking_face: "🤔",
	scream: "😱", cry: "😢", tada: "🎉", pray: "🙏", eyes: "👀", "100": "💯", ok_hand: "👌", handshake: "🤝", rocket: "🚀", robot_face: "🤖",
	white_check_mark: "✅", heavy_check_mark: "✔️", x: "❌", warning: "⚠️", hourglass: "⌛", hourglass_flowing_sand: "⏳", wave: "👋",
	smile: "😄", joy: "😂", sob: "😭", bulb: "💡", zap: "⚡", brain: "🧠", stop_sign: "🛑", octagonal_sign: "🛑", raised_hands: "🙌",
	thought_balloon: "💭", speech_balloon: "💬", gear: "⚙️", mag: "🔍", memo: "📝", wrench: "🔧", hammer_and_wrench: "🛠️",
	writing_hand: "✍️", slightly_smiling_face: "🙂", bird: "🐦", no_entry: "⛔", repeat: "🔁", bell: "🔔", alarm_clock: "⏰",
};
const choice = ["👍", "👎", "❤", "🔥", "👏", "😁", "🤔", "😱", "😢", "🎉", "🙏", "👀", "💯", "👌", "🤝"];
const spoken = { "👍": "thumbs up", "👎": "thumbs down", "❤": "heart", "🔥": "fire", "👏": "clapping hands", "😁": "grin", "🤔": "thinking",
	"😱": "scream", "😢": "crying", "🎉": "party", "🙏": "folded hands", "👀": "eyes", "💯": "hundred", "👌": "ok", "🤝": "handshake" };

export function emojiOf(name) {
	return names[name] || "";
}

export function slackName(emoji) {
	return Object.keys(names).find((n) => names[n] === emoji && /[a-z]/.test(n)) || emoji;
}

// A dialog of emoji beside the button that opened it; pick is called once, or never.
export function openPicker(button, pick) {
	const close = () => {
		dialog.remove();
		button.setAttribute("aria-expanded", "false");
	};
	const move = (event) => {
		const all = [...dialog.children], at = all.indexOf(document.activeElement);
		const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 5, ArrowUp: -5 }[event.key];
		if (step) all[(at + step + all.length) % all.length].focus();
		else if (event.key === "Escape") { close(); button.focus(); }
		else return;
		event.preventDefault();
		event.stopPropagation();
	};
	const dialog = h("div.picker", { role: "dialog", "aria-label": "Choose a reaction", onkeydown: move,
		onfocusout: (event) => dialog.contains(event.relatedTarget) || setTimeout(close) },
	choice.map((emoji) => h("button", { type: "button", "aria-label": spoken[emoji], title: spoken[emoji], onclick: () => {
		close();
		button.focus();
		pick(emoji);
	} }, emoji)));
	document.body.append(dialog);
	button.setAttribute("aria-expanded", "true");
	const at = button.getBoundingClientRect(), size = dialog.getBoundingClientRect();
	dialog.style.left = `${Math.max(4, Math.min(at.left, innerWidth - size.width - 4))}px`;
	dialog.style.top = `${at.top - size.height - 4 > 0 ? at.top - size.height - 4 : at.bottom + 4}px`;
	dialog.firstChild.focus();
}
