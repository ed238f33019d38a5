export type Platform = "telegram" | "slack" | "discord";
export type Body = Record<string, unknown>;

/** By its text, or its number from 1. */
export type Answer = string | number;

/** What people do; which of these a platform has, and with what, is in the reference. */
export type Act = "assistant" | "attend" | "business" | "chat" | "close" | "command" | "delete" | "emoji" | "home" | "inline" | "join" | "member" | "operate" | "pay" | "pin" |
	"press" | "profile" | "react" | "say" | "shortcut" | "socket" | "submit" | "tick" | "topic" | "typing" | "voice" | "vote";

export interface Said {
	message_id: string;
	chat_id: string;
	user_id: string;
}

export interface Message {
	id: string;
	from: string;
	bot: boolean;
	text: string;
	thread: string | null;
	reply_to: string | null;
	edits: number;
	deleted: boolean;
	buttons: { id: string; label: string }[];
	files: Body[];
	reactions: Body[];
	pinned?: boolean;
	/** What only one platform has, such as rich_message. */
	[name: string]: any;
}

export interface Request {
	n: number;
	time_ms: number;
	method: string;
	body: any;
	answer?: any;
	status: number;
	verdict: "ok" | "refused";
	problems: string[];
	fault?: string;
}

export interface Finding {
	level: "problem" | "warning";
	platform: Platform;
	check: string;
	method: string;
	count: number;
	first: number | null;
	text: string;
	advice: string;
}

export interface Report {
	problems: number;
	warnings: number;
	findings: Finding[];
}

export interface Fault extends Body {
	platform: Platform | "model";
	kind: string;
	method?: string;
	count?: number;
	seconds?: number;
	status?: number;
	at_byte?: number;
}

/** What GET /control/snapshot gives: keep it as it is. */
export type Snapshot = Body;

export declare class PlaygroundError extends Error {
	status: number;
}

export declare class Playground {
	/** Without a URL, that in $PLAYGROUND, or http://127.0.0.1:8090. */
	constructor(url?: string);
	readonly url: string;
	call(name: string, body?: Body): Promise<any>;
	get(name: string, parameters?: Record<string, string | number | undefined>): Promise<any>;
	/** Waits until a bot has connected to the platform; where bots poll, has asked since the last reset. */
	ready(platform: Platform, options?: { timeout?: number }): Promise<void>;
	/** The person is named as the chat unless user says otherwise. */
	chat(platform: Platform, chat: string, options?: { user?: string; kind?: string; thread?: string }): Chat;
	requests(platform: Platform | "model", which?: { method?: string; after?: number }): Promise<Request[]>;
	fault(fault: Fault): Promise<number>;
	clearFaults(which?: { id?: number; platform?: string; kind?: string }): Promise<number>;
	report(): Promise<Report>;
	junit(): Promise<string>;
	now(): Promise<Date>;
	advance(seconds: number): Promise<Date>;
	snapshot(): Promise<Snapshot>;
	restore(snapshot: Snapshot): Promise<void>;
	reset(): Promise<void>;
	world(name: string): Promise<Playground>;
	endWorld(name: string): Promise<void>;
	settings(settings?: Body): Promise<any>;
	events(signal?: AbortSignal): AsyncGenerator<{ type: string; [name: string]: any }>;
}

export declare class Chat {
	readonly platform: Platform;
	readonly chat: string;
	act(name: Act, more?: Body): Promise<any>;
	say(text: string, more?: Body): Promise<Said>;
	command(command: string, text?: string, more?: Body): Promise<any>;
	press(button: string, more?: Body & { timeout?: number }): Promise<any>;
	react(messageId: string, emoji?: string): Promise<any>;
	poll(question: string, answers: string[], more?: { multiple?: boolean; seconds?: number; anonymous?: boolean; correct?: Answer }): Promise<Said>;
	vote(answer?: Answer | Answer[], more?: { message_id?: string; remove?: boolean; end?: boolean }): Promise<any>;
	forward(messageId: string, chat?: string, more?: Body): Promise<Said>;
	voice(seconds: number, more?: Body): Promise<Said>;
	transcript(): Promise<{ messages: Message[]; [name: string]: any }>;
	messages(): Promise<Message[]>;
	answer(wanted?: string | RegExp | ((message: Message) => boolean), options?: { timeout?: number }): Promise<Message>;
}
