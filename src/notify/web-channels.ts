import { changeJson } from '../board/parcel-json.ts';
import { orAborted } from '../lib/async.ts';
import { cleanText } from '../lib/clean-text.ts';
import type { Clock } from '../lib/clock.ts';
import { messageOf, systemText } from '../lib/error-text.ts';
import { systemCode } from '../lib/store-errors.ts';
import type { Change } from '../parcels/change.ts';
import { isLoopback } from '../service/connection.ts';
import type { RunProgram } from '../system/run-program.ts';
import { type Channel, type Notification, unusableChannel, type WebChannelName } from './notification.ts';

/** A channel's settings. Null if not set. */
interface WebAccess {
  readonly url: string | null;
  readonly token: string | null;
  /** The Telegram chat or the Pushover user. */
  readonly to: string | null;
}

export interface WebChoice {
  /** Whether any of the channel's settings is set. */
  readonly isSet: boolean;
  /** Why the settings can't be used, or null. */
  readonly refused: string | null;
  /** Reads the secrets. Rejects with an error that does not contain them. */
  readonly read: (runProgram: RunProgram) => Promise<WebAccess>;
  /** Throws if the proxy is unusable. */
  readonly proxyOf: (url: URL) => URL | null;
}

interface Request {
  /** Appended to the path of the URL. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Service {
  readonly title: string;
  readonly needs: readonly (keyof WebAccess)[];
  readonly requests: (message: Notification, access: WebAccess, changes: readonly Change[]) => readonly Request[];
}

const json = (value: object): Pick<Request, 'body' | 'headers'> => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

const form = (fields: Readonly<Record<string, string>>): Pick<Request, 'body' | 'headers'> => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
});

const bodyText = ({ lines }: Notification): string => lines.map(cleanText).join('\n');
const fullText = (message: Notification): string => `${cleanText(message.title)}\n${bodyText(message)}`;
const bearer = (token: string | null): Readonly<Record<string, string>> =>
  token === null ? {} : { authorization: `Bearer ${token}` };

/** Escapes the characters that Slack interprets as links and mentions. */
const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Encodes non-ASCII text for a header (RFC 2047). */
const headerText = (text: string): string =>
  /^[ -~]*$/.test(text) ? text : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;

const maxDiscordLength = 2000;

/** Requests as documented by the services. */
const services: Readonly<Record<WebChannelName, Service>> = {
  slack: { title: 'Slack', needs: ['url'], requests: (message) => [json({ text: escapeSlack(fullText(message)) })] },
  discord: {
    title: 'Discord',
    needs: ['url'],
    // Prevents mentions such as @everyone in a courier's text.
    requests: (message) => [
      json({ content: fullText(message).slice(0, maxDiscordLength), allowed_mentions: { parse: [] } }),
    ],
  },
  telegram: {
    title: 'Telegram',
    needs: ['token', 'to'],
    requests: (message, { to, token }) => [
      { path: `/bot${token}/sendMessage`, ...json({ chat_id: to, text: fullText(message) }) },
    ],
  },
  ntfy: {
    title: 'ntfy',
    needs: ['url'],
    requests: (message, { token }) => [
      { headers: { title: headerText(cleanText(message.title)), ...bearer(token) }, body: bodyText(message) },
    ],
  },
  pushover: {
    title: 'Pushover',
    needs: ['token', 'to'],
    requests: (message, { to, token }) => [
      {
        path: '/1/messages.json',
        ...form({ token: token ?? '', user: to ?? '', title: cleanText(message.title), message: bodyText(message) }),
      },
    ],
  },
  gotify: {
    title: 'Gotify',
    needs: ['url', 'token'],
    // The token goes in a header, because servers and proxies log URLs.
    requests: (message, { token }) => {
      const { body, headers } = json({ title: cleanText(message.title), message: bodyText(message) });
      return [{ path: '/message', headers: { ...headers, 'x-gotify-key': token ?? '' }, body }];
    },
  },
  webhook: {
    title: 'the webhook',
    needs: ['url'],
    requests: (_message, { token }, changes) =>
      changes.map((change) => {
        const { body, headers } = json(changeJson(change));
        return { headers: { ...headers, ...bearer(token) }, body };
      }),
  },
};

/** The name of a web channel's setting. */
export type WebField = 'chat' | 'token' | 'url' | 'user';

const recipientSettings: Readonly<Partial<Record<WebChannelName, WebField>>> = { telegram: 'chat', pushover: 'user' };

/** Returns the settings that a channel requires. */
export const requiredFields = (name: WebChannelName): readonly WebField[] =>
  services[name].needs.flatMap((field) => (field === 'to' ? (recipientSettings[name] ?? []) : field));

const settingName = (channel: WebChannelName, field: keyof WebAccess): string =>
  `notify.${channel}.${field === 'to' ? (recipientSettings[channel] ?? field) : field}`;

/** Returns the URL to send to, or a sentence about what is wrong with it. */
const validateUrl = (channel: WebChannelName, text: string): URL | string => {
  const url = URL.parse(text);
  const name = `notify.${channel}.url`;
  if (url === null) return `"${name}" is not a URL. Use the form https://host/path.`;
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return url;
  return `"${name}" must start with https://. Plain HTTP is allowed only for this machine.`;
};

interface WebChannelOptions {
  readonly clock: Clock;
  readonly runProgram: RunProgram;
  readonly signal: AbortSignal;
}

/** Sends to a web service. Reads the secrets for each message, so that new ones take effect immediately. */
export function createWebChannel(name: WebChannelName, choice: WebChoice, options: WebChannelOptions): Channel {
  const { refused } = choice;
  if (refused !== null) return { ...unusableChannel(name, refused), check: async () => refused };
  const { needs, requests, title } = services[name];
  const findTarget = async (): Promise<{ readonly access: WebAccess; readonly url: URL } | string> => {
    const access = await choice.read(options.runProgram);
    const missing = needs.find((field) => access[field] === null);
    if (missing !== undefined) return `"${settingName(name, missing)}" is not set. Add it to config.json.`;
    const url = validateUrl(name, access.url ?? '');
    return typeof url === 'string' ? url : { access, url };
  };
  const send: Channel['send'] = async (message, changes) => {
    const target = await findTarget();
    if (typeof target === 'string') return target;
    const { access, url } = target;
    for (const request of requests(message, access, changes)) {
      const failure = await sendRequest(name, { url, request, proxy: choice.proxyOf(url) }, options);
      if (failure !== null) return failure;
    }
    return null;
  };
  return {
    name,
    mechanism: `a message to ${title}`,
    unusable: null,
    check: async () => {
      try {
        const target = await findTarget();
        return typeof target === 'string' ? target : null;
      } catch (error) {
        return messageOf(error);
      }
    },
    async send(message, changes) {
      try {
        return await send(message, changes);
      } catch (error) {
        return messageOf(error);
      }
    },
  };
}

interface OutgoingRequest {
  readonly url: URL;
  readonly request: Request;
  readonly proxy: URL | null;
}

/** Never quotes the response, because it may repeat a secret. */
async function sendRequest(
  name: WebChannelName,
  outgoing: OutgoingRequest,
  options: WebChannelOptions,
): Promise<string | null> {
  const { url } = outgoing;
  let status: number;
  try {
    status = await post(outgoing, options);
  } catch (error) {
    const code = systemCode(error);
    const reason = code === null ? 'did not respond' : `cannot be reached${systemText(code)}`;
    return `${url.host} ${reason}. Check the network and "notify.${name}" in config.json.`;
  }
  if (status >= 200 && status < 300) return null;
  if (status === 429)
    return `${url.host} is rate limiting messages (HTTP 429), so this one was dropped. The next one will be sent as usual.`;
  const advice = status >= 500 ? 'Try again later.' : `Check the URL and the token in "notify.${name}" in config.json.`;
  return `${url.host} rejected the message (HTTP ${status}). ${advice}`;
}

const requestTimeoutMs = 10_000;
const maxResponseBytes = 64 * 1024;

/**
 * Sends one message and returns the HTTP status. Does not follow redirects, and takes at most 10 seconds. Rejects with
 * the connection error.
 */
async function post(
  { proxy, request: { body, headers = {}, path }, url }: OutgoingRequest,
  { clock, signal }: WebChannelOptions,
): Promise<number> {
  const pathname = path === undefined ? url.pathname : `${url.pathname.replace(/\/+$/, '')}${path}`;
  const { openDispatcher } = await import('../service/http-client.ts');
  const dispatcher = openDispatcher({ timeoutMs: requestTimeoutMs, maxResponseBytes, proxy });
  const deadline = new AbortController();
  const cancel = clock.setTimer(requestTimeoutMs, () => deadline.abort(new Error('no response within 10 seconds')));
  const aborted = AbortSignal.any([signal, deadline.signal]);
  const send = async (): Promise<number> => {
    const response = await dispatcher.request({
      ...{ origin: url.origin, path: pathname + url.search, method: 'POST' },
      ...{ headers, body, signal: aborted },
    });
    await response.body.dump();
    return response.statusCode;
  };
  try {
    return await orAborted(send(), aborted);
  } finally {
    cancel();
    await dispatcher.destroy();
  }
}
