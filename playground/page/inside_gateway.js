// The daemon: how it is, kill and restart, and which model answers.

import { get, post } from "./api.js";
import { clock, h, notice } from "./dom.js";
import { jsonTree } from "./json.js";

const states = { down: "It is down.", starting: "It is starting.", ready: "It runs, and is ready.", unknown: "Nothing is known of its state." };
const apis = [["", "detect automatically"], ["openai-chat", "OpenAI Chat Completions"], ["openai-responses", "OpenAI Responses"], ["anthropic", "Anthropic Messages"]];
// Where the profiles of the same names ask (docs/models.md); those without a key run on this machine.
const providers = [
	["Anthropic", "https://api.anthropic.com", "anthropic"], ["DeepSeek", "https://api.deepseek.com"], ["Gemini", "https://generativelanguage.googleapis.com/v1beta/openai"],
	["Groq", "https://api.groq.com/openai/v1"], ["llama.cpp", "http://127.0.0.1:8080/v1"], ["LM Studio", "http://127.0.0.1:1234/v1"], ["Mistral", "https://api.mistral.ai/v1"],
	["Ollama", "http://127.0.0.1:11434/v1"], ["OpenAI", "https://api.openai.com/v1", "openai-responses"], ["OpenRouter", "https://openrouter.ai/api/v1"], ["vLLM", "http://127.0.0.1:8000/v1"],
];

function field(label, input, hint) {
	return h("label.field", null, h("span", null, label), input, hint ? h("span.hint", null, hint) : null);
}

export class GatewayView {
	constructor() {
		this.state = h("p.state", { role: "status" });
		this.facts = h("div");
		this.buttons = h("p.buttons", { hidden: true },
			h("button.danger", { type: "button", onclick: () => this.order("kill", {}) }, "Kill it with -9"),
			h("button.danger", { type: "button", onclick: () => this.order("kill", { hold: true }) }, "Kill it, and leave it down"),
			h("button", { type: "button", onclick: () => this.order("restart", {}) }, "Restart"));
		this.form = this.makeForm();
		this.node = h("div", null, h("p.about", null, "The gateway is a process of its own. Kill it in the middle of an answer, and see that nothing is lost."),
			this.state, this.buttons, this.facts, this.form);
	}

	makeForm() {
		this.provider = h("select", { name: "provider", onchange: () => this.pickProvider() }, h("option", { value: "" }, "another one"), providers.map(([name]) => h("option", null, name)));
		this.url = h("input", { name: "url", type: "url", required: true, placeholder: "https://api.example.com/v1", autocomplete: "off", oninput: () => { this.provider.value = ""; } });
		this.model = h("input", { name: "model", required: true, placeholder: "name of the model", autocomplete: "off" });
		this.key = h("input", { name: "key", type: "password", autocomplete: "off" });
		this.api = h("select", { name: "api" }, apis.map(([value, label]) => h("option", { value }, label)));
		this.used = h("p.hint");
		this.ollama = h("p.buttons", { hidden: true });
		this.result = h("p.result", { role: "status" });
		return h("form.model-form", { hidden: true, onsubmit: (e) => this.submit(e) }, h("h3", null, "Which model answers"), this.used, this.ollama,
			field("Provider", this.provider), field("Base URL", this.url), field("Model", this.model), field("Key", this.key, "is kept in a file that only you can read, and never shown again"),
			field("Protocol", this.api), h("p.buttons", null, h("button.strong", { type: "submit" }, "Try it, and use it"),
				h("button", { type: "button", onclick: () => this.use({ scripted: true }) }, "Back to the script")), this.result);
	}

	pickProvider() {
		const [, url, api] = providers.find(([name]) => name === this.provider.value) || [];
		this.url.value = url || "";
		this.api.value = url ? api || "openai-chat" : "";
		this.key.disabled = Boolean(url?.startsWith("http://"));
		this.model.focus();
	}

	async load() {
		let status;
		try { status = await get("gateway/status"); } catch { status = { known: false }; }
		this.showStatus(status);
		if (status.supervised) await this.loadModel();
	}

	async loadModel() {
		try {
			const { used, ollama } = await get("gateway/model");
			this.used.textContent = used.scripted ? "The script of the playground answers now." : `${used.model} at ${used.url} answers now.`;
			this.ollama.hidden = !ollama?.running || !ollama.models.length;
			this.ollama.replaceChildren("Ollama runs on this machine: ", ...(ollama?.models || []).map((name) => h("button", { type: "button",
				onclick: () => this.use({ url: `${ollama.url}/v1`, model: name }) }, name)));
			this.form.hidden = false;
		} catch { this.form.hidden = true; }
	}

	showStatus(s) {
		this.buttons.hidden = !s.supervised;
		if (!s.known) {
			this.state.textContent = "This playground was given no gateway. Under ./quickstart the gateway can be killed and restarted here, and a real model chosen.";
			this.facts.replaceChildren();
			return;
		}
		this.state.dataset.state = s.state;
		this.state.textContent = [states[s.state] || s.state, s.pid && `Process ${s.pid}, since ${clock(s.since_ms, true)}.`, s.exit && `Last time it ended: ${s.exit}.`,
			s.starts > 1 && `Restarts: ${s.starts - 1}.`, s.held && "It is held down until you restart it."].filter(Boolean).join(" ");
		if (s.status) this.facts.replaceChildren(jsonTree("myna status", s.status, false));
	}

	apply(event) {
		if (event.type === "gateway") this.showStatus(event.gateway);
	}

	async order(what, body) {
		try { await post(`gateway/${what}`, body); } catch (e) { notice(e); }
	}

	submit(event) {
		event.preventDefault();
		this.use({ url: this.url.value.trim(), model: this.model.value.trim(), key: this.key.value || undefined, api: this.api.value || undefined });
	}

	async use(body) {
		this.result.textContent = "Asking it…";
		try {
			const answer = await post("gateway/model", body);
			this.result.textContent = answer.text || (answer.works === false ? "It does not work." : "It is used from now on.");
			if (answer.works !== false) this.key.value = "";
			await this.loadModel();
		} catch (e) { this.result.textContent = e.message; }
	}
}
