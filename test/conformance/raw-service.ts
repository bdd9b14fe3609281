import { request } from 'undici';
import type { Clock } from '../../src/lib/clock.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/lib/json.ts';
import { operationUrl } from '../../src/service/address.ts';
import { createPacer } from '../../src/service/transport.ts';

/** A raw response. */
export interface RawAnswer {
  readonly status: number;
  readonly contentType: string;
  /** Parsed with JSON.parse. An empty object if the body is not a JSON object. */
  readonly body: JsonObject;
  /** `data.accepted`. */
  readonly accepted: JsonValue | undefined;
  /** Objects of `data.rejected`. */
  readonly rejected: readonly JsonObject[];
  /** Records of `data.accepted.content`. */
  readonly content: readonly JsonObject[];
  readonly isSuccess: boolean;
  /** The outcome in a few words. */
  readonly words: string;
}

/** Deviations from a correct call. */
export interface Oddity {
  /** Null sends no key. */
  readonly key?: string | null;
  readonly method?: 'GET' | 'POST';
  /** Sent unchanged. */
  readonly text?: string;
}

/** The service without the client's tolerance. */
export interface RawService {
  readonly baseUrl: URL;
  call(path: string, body?: JsonValue, oddity?: Oddity): Promise<RawAnswer>;
}

/** The service's address, and the account. */
export interface RawServiceOptions {
  readonly baseUrl: URL;
  readonly apiKey: string;
  readonly header: string;
  readonly clock: Clock;
}

/** One less than permitted, because calls do not arrive as evenly as they are sent. */
const callsPerSecond = 4;
const mostTries = 4;
const timeoutMs = 15_000;

const objectsOf = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

/** Calls a service at the permitted rate, one call after another. */
export function createRawService({ baseUrl, apiKey, header, clock }: RawServiceOptions): RawService {
  const pacers = new Map<string, ReturnType<typeof createPacer>>();
  const pacerFor = (path: string) => {
    const pacer = pacers.get(path) ?? createPacer(clock, path.endsWith('/query-realtime') ? 1 : callsPerSecond);
    pacers.set(path, pacer);
    return pacer;
  };
  const pause = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => void clock.setTimer(milliseconds, resolve));

  async function send(path: string, body: JsonValue | undefined, oddity: Oddity): Promise<RawAnswer> {
    const key = oddity.key === undefined ? apiKey : oddity.key;
    const text = oddity.text ?? (body === undefined ? undefined : JSON.stringify(body));
    const answer = await request(operationUrl(baseUrl, path), {
      method: oddity.method ?? (text === undefined ? 'GET' : 'POST'),
      headers: {
        ...(key === null ? {} : { [header]: key }),
        'content-type': 'application/json',
        accept: 'application/json',
      },
      ...(text === undefined ? {} : { body: text }),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    return read(answer.statusCode, String(answer.headers['content-type'] ?? ''), await answer.body.text());
  }

  return {
    baseUrl,
    async call(path, body, oddity = {}) {
      for (let tries = 1; ; tries += 1) {
        await pacerFor(path).turn(new AbortController().signal);
        const answer = await send(path, body, oddity);
        const { code } = answer.body;
        const isTooFast = answer.status === 429 || code === 'A0706' || code === 'B0210';
        if (!isTooFast || tries === mostTries) return answer;
        await pause(1200 * tries);
      }
    },
  };
}

function read(status: number, contentType: string, text: string): RawAnswer {
  const body = parse(text);
  const data = isJsonObject(body['data']) ? body['data'] : {};
  const accepted = data['accepted'];
  const { code, msg } = body;
  return {
    status,
    contentType,
    body,
    accepted,
    rejected: objectsOf(data['rejected']),
    content: isJsonObject(accepted) ? objectsOf(accepted['content']) : [],
    isSuccess: status === 200 && code === '00000',
    words: `HTTP ${status}, code ${JSON.stringify(code ?? null)}, ${JSON.stringify(msg ?? body['message'] ?? null)}`,
  };
}

function parse(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    // Text that is not JSON has no fields.
    return {};
  }
}
