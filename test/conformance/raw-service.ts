import { request } from 'undici';
import type { Clock } from '../../src/lib/clock.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/lib/json.ts';
import { operationUrl } from '../../src/service/connection.ts';
import { createPacer } from '../../src/service/transport.ts';

/** An unvalidated response. */
export interface RawResponse {
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
  readonly summary: string;
}

/** Makes a call deviate from a correct one. */
export interface CallOverrides {
  /** Null sends no key. */
  readonly key?: string | null;
  readonly method?: 'GET' | 'POST';
  /** Replaces the body. */
  readonly text?: string;
}

/** The service without the client's tolerance. */
export interface RawService {
  readonly baseUrl: URL;
  call(path: string, body?: JsonValue, overrides?: CallOverrides): Promise<RawResponse>;
}

export interface RawServiceOptions {
  readonly baseUrl: URL;
  readonly apiKey: string;
  readonly header: string;
  readonly clock: Clock;
}

/** One less than permitted, because calls do not arrive as evenly spaced as they are sent. */
const callsPerSecond = 4;
const maxTries = 4;
const timeoutMs = 15_000;

const objectsOf = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

/** Creates a service that is called at the permitted rate, one call at a time. */
export function createRawService({ baseUrl, apiKey, header, clock }: RawServiceOptions): RawService {
  const pacers = new Map<string, ReturnType<typeof createPacer>>();
  const pacerFor = (path: string) => {
    const pacer = pacers.get(path) ?? createPacer(clock, path.endsWith('/query-realtime') ? 1 : callsPerSecond);
    pacers.set(path, pacer);
    return pacer;
  };
  const pause = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => void clock.setTimer(milliseconds, resolve));

  async function send(path: string, body: JsonValue | undefined, overrides: CallOverrides): Promise<RawResponse> {
    const key = overrides.key === undefined ? apiKey : overrides.key;
    const text = overrides.text ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await request(operationUrl(baseUrl, path), {
      method: overrides.method ?? (text === undefined ? 'GET' : 'POST'),
      headers: {
        ...(key === null ? {} : { [header]: key }),
        'content-type': 'application/json',
        accept: 'application/json',
      },
      ...(text === undefined ? {} : { body: text }),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    return read(response.statusCode, String(response.headers['content-type'] ?? ''), await response.body.text());
  }

  return {
    baseUrl,
    async call(path, body, overrides = {}) {
      for (let tries = 1; ; tries += 1) {
        await pacerFor(path).turn(new AbortController().signal);
        const response = await send(path, body, overrides);
        const { code } = response.body;
        const isTooFast = response.status === 429 || code === 'A0706' || code === 'B0210';
        if (!isTooFast || tries === maxTries) return response;
        await pause(1200 * tries);
      }
    },
  };
}

function read(status: number, contentType: string, text: string): RawResponse {
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
    summary: `HTTP ${status}, code ${JSON.stringify(code ?? null)}, ${JSON.stringify(msg ?? body['message'] ?? null)}`,
  };
}

function parse(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    // Not JSON, so there are no fields.
    return {};
  }
}
