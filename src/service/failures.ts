import { cleanTextOrNull } from '../lib/clean-text.ts';
import { isJsonObject, type JsonObject, type JsonValue, textField } from '../lib/json.ts';
import { reasonText } from '../lib/text.ts';
import { wordOrNull } from '../lib/track-number.ts';
import {
  BadResponseError,
  KeyRefusedError,
  type Operation,
  OperationMissingError,
  type OperationName,
  QuotaExhaustedError,
  RateLimitedError,
  RequestRefusedError,
  type ServiceError,
  type ServiceErrorDetails,
  type ServiceErrorKind,
  ServiceTroubleError,
} from './port.ts';

export interface Envelope {
  readonly code: string | null;
  readonly message: string | null;
  readonly traceId: string | null;
  readonly data: JsonValue | undefined;
}

export function decodeEnvelope(body: JsonValue): Envelope | null {
  if (!isJsonObject(body)) return null;
  return {
    code: textField(body, 'code'),
    message: textField(body, 'msg') ?? textField(body, 'message'),
    traceId: wordOrNull(textField(body, 'traceId')),
    data: body['data'],
  };
}

export function partsOf(data: JsonValue | undefined) {
  const { accepted, rejected }: JsonObject = isJsonObject(data) ? data : {};
  return { accepted, rejected };
}

interface FailureMeaning {
  readonly kind: Extract<
    ServiceErrorKind,
    'key-refused' | 'quota-exhausted' | 'rate-limited' | 'operation-missing' | 'request-refused' | 'service-trouble'
  >;
  /** What happened. `{operation}` is replaced by the operation's title and path. */
  readonly whatHappened: string;
  /** `{settings}` is replaced by the names of the operation's settings. */
  readonly advice: string | null;
  /** How the program reacts. What `stops` means depends on the operation. */
  readonly consequence?: 'stops' | typeof dataKeptClause;
}

export const dataKeptClause = 'the last known data is kept';

const keyFailure = (whatHappened: string, advice: string): FailureMeaning => ({
  kind: 'key-refused',
  whatHappened,
  advice,
  consequence: 'stops',
});
const requestFailure = (whatHappened: string, advice: string): FailureMeaning => ({
  kind: 'request-refused',
  whatHappened,
  advice,
});
const serviceFailure = (whatHappened: string, advice: string | null = null): FailureMeaning => ({
  kind: 'service-trouble',
  whatHappened,
  advice,
  consequence: dataKeptClause,
});

const slowDown: FailureMeaning = {
  kind: 'rate-limited',
  whatHappened: 'The service received too many requests',
  advice:
    'Run the command again later; the board slows down automatically, and requests from other programs that use this key count too.',
};
const quotaExhausted: FailureMeaning = {
  kind: 'quota-exhausted',
  whatHappened: "The account's credit is used up",
  advice: "Add credit in the provider's portal.",
  consequence: 'stops',
};
const operationMissing: FailureMeaning = {
  kind: 'operation-missing',
  whatHappened: 'The service does not support {operation}',
  advice:
    'Check the base URL (--base-url) or the deployment (--profile); you can change the operation with {settings} in config.json.',
};
const anyRefusal = requestFailure(
  'The service did not accept the request {operation}',
  'Correct the field that it names: number, courier code, postal code or phone suffix.',
);
const anyKeyRefusal = keyFailure(
  'The service refused access',
  "Check the key and its header, and the account in the provider's portal.",
);

const notOnAllowlist: FailureMeaning = keyFailure(
  "The service does not allow this machine's address",
  "Add the address to the account's IP allowlist in the provider's portal.",
);

const unreadableRequest: FailureMeaning = requestFailure(
  'The service could not parse the request {operation}',
  'The numbers are fine; check the base URL (--base-url), the deployment (--profile) and {settings} in config.json, then refresh.',
);

/** The service codes (`service/README.md`, "Codes and failures"). */
const codes: Readonly<Record<string, FailureMeaning>> = {
  A0001: requestFailure(
    'The service rejected the request {operation}',
    'Check the number, the courier code and the service settings ({settings}).',
  ),
  A0200: keyFailure(
    'The service could not log in with this API key',
    "Copy the key again from the provider's portal (Developers, API) and check that it belongs to this base URL.",
  ),
  A0201: keyFailure(
    "This API key's account does not exist",
    'Check that the key and the base URL belong together (--profile, --base-url).',
  ),
  A0202: keyFailure('The account is locked', 'Ask the provider to unlock it; a different key will not help.'),
  A0203: keyFailure(
    'The account is not valid',
    "Check the subscription in the provider's portal; a different key will not help.",
  ),
  A0230: keyFailure(
    'The API key is wrong or has expired',
    "Copy a valid one from the provider's portal (Developers, API) into PARCEL_MONITOR_API_KEY or config.json.",
  ),
  A0231: keyFailure('The API key is blocked', "Allow the key in the provider's portal, or use a different one."),
  A0300: keyFailure(
    'The account does not have permission for this request',
    "Check the plan and the IP allowlist in the provider's portal.",
  ),
  A0301: keyFailure(
    'The service did not authorise the request',
    "Check that the key is sent in the right header (service.header), and that this machine's address is on the account's IP allowlist.",
  ),
  A0400: requestFailure(
    'The service rejected a parameter for {operation}',
    'Correct the field that it names: number, courier code, postal code or phone suffix.',
  ),
  A0410: requestFailure(
    'The service requires another parameter for {operation}',
    'Add the field that it names, such as courier, postal code or phone suffix ("parcel-monitor edit").',
  ),
  A0706: slowDown,
  B0001: serviceFailure('The service had an internal error'),
  B0100: serviceFailure('The service timed out internally'),
  B0210: slowDown,
  B0300: serviceFailure('The service has a problem with its resources'),
  B0310: serviceFailure('The service ran out of resources'),
  C0113: operationMissing,
  D0000: serviceFailure('The service reported a failure', 'Follow the instructions in its message.'),
  '101107': quotaExhausted,
};

/**
 * Returns the meaning of a failure. HTTP 429 takes precedence over the code, and the code over any other HTTP status.
 * The message can make it more specific. Returns null if nothing is known.
 */
export function meaningOf(code: string | null, httpStatus: number, message: string): FailureMeaning | null {
  const meaning =
    httpStatus === 429 ? slowDown : ((code === null ? null : meaningOfCode(code)) ?? meaningOfStatus(httpStatus));
  if (meaning?.kind === 'key-refused' && /\bips?\b|allow-?\s?list|white-?\s?list/i.test(message)) return notOnAllowlist;
  return meaning?.kind === 'request-refused' && /params? format/i.test(message) ? unreadableRequest : meaning;
}

function meaningOfCode(code: string): FailureMeaning | null {
  const meaning = Object.hasOwn(codes, code) ? codes[code] : undefined;
  if (meaning !== undefined) return meaning;
  if (/^A0[23]\d\d$/.test(code)) return anyKeyRefusal;
  // The service's code table lists this range under a heading about limits.
  if (/^A05\d\d$/.test(code)) return slowDown;
  if (/^A\d{4}$/.test(code)) return anyRefusal;
  return /^[BCD]\d{4}$/.test(code) ? serviceFailure('The service has a problem') : null;
}

function meaningOfStatus(httpStatus: number): FailureMeaning | null {
  switch (httpStatus) {
    case 401:
      return keyFailure(
        'The service did not accept the API key',
        'Check the key (PARCEL_MONITOR_API_KEY or config.json) and its header (service.header, --profile).',
      );
    case 402:
      return quotaExhausted;
    case 403:
      return keyFailure(
        'The service refused the request {operation}',
        "Check that this machine's address is on the account's IP allowlist, and that the key, the base URL and {settings} belong together.",
      );
    case 404:
    case 405:
      return operationMissing;
    case 408:
    case 425:
      return serviceFailure('The service did not wait for the request');
    default:
      if (httpStatus >= 500) return serviceFailure('The service has a problem');
      return httpStatus >= 400 ? anyRefusal : null;
  }
}

interface FailedResponse {
  readonly operation: Operation;
  readonly httpStatus: number;
  /** Null if the body is not a JSON object. */
  readonly envelope: Envelope | null;
  readonly retryAfterMs: number | null;
}

export const successCode = '00000';

export function toServiceError(response: FailedResponse): ServiceError {
  const { envelope, httpStatus, operation, retryAfterMs } = response;
  const code = envelope?.code ?? null;
  const meaning = meaningOf(code, httpStatus, envelope?.message ?? '');
  const details: ServiceErrorDetails = { code, httpStatus, traceId: envelope?.traceId ?? null };
  if (meaning === null) return unexpectedResponse(response, code, details);
  const whatHappened = meaning.whatHappened.replace('{operation}', () => `"${operation.title}" at ${operation.path}`);
  const text = {
    what: `${whatHappened} (${code ?? `HTTP ${httpStatus}`})${serviceText(envelope)}.`,
    advice: meaning.advice?.replace('{settings}', () => settingsOf(operation.name)) ?? null,
    consequence: meaning.consequence === 'stops' ? stopsText(operation.name, meaning) : (meaning.consequence ?? null),
  };
  return new errors[meaning.kind](text, temporaryKinds.has(meaning.kind) ? { ...details, retryAfterMs } : details);
}

function stopsText(name: OperationName, { kind }: FailureMeaning): string {
  if (name !== 'register' && name !== 'registerV21') return 'checks stop until you fix this and refresh';
  return kind === 'quota-exhausted'
    ? 'registered numbers are still checked, and the others wait'
    : 'registrations stop until you fix this and refresh, and registered numbers are still checked';
}

function settingsOf(name: OperationName): string {
  const path = `service.operations.${name}.path`;
  if (name === 'query' || name === 'queryV2') return `${path} or service.queryVersion`;
  if (name === 'register' || name === 'registerV21') return `${path} or service.registerVersion`;
  return path;
}

function serviceText(envelope: Envelope | null): string {
  const detail = envelope?.code === 'D0000' ? cleanTextOrNull(envelope.data) : null;
  const parts = [envelope?.message ?? null, detail].filter((text) => text !== null && text !== '');
  return parts.length === 0 ? '' : `: "${reasonText(parts.join(': '))}"`;
}

function unexpectedResponse(
  { operation, envelope, retryAfterMs }: FailedResponse,
  code: string | null,
  details: ServiceErrorDetails,
): ServiceError {
  const reason = serviceText(envelope);
  return code === null
    ? new BadResponseError(
        {
          what: `The response to "${operation.title}" did not come from the service, because it has no code${reason}.`,
          advice: `Check the base URL and ${settingsOf(operation.name)}.`,
          consequence: dataKeptClause,
        },
        details,
      )
    : new ServiceTroubleError(
        {
          what: `The service reported a failure with an unknown code (${code})${reason}.`,
          advice: null,
          consequence: dataKeptClause,
        },
        { ...details, retryAfterMs },
      );
}

const errors = {
  'key-refused': KeyRefusedError,
  'quota-exhausted': QuotaExhaustedError,
  'rate-limited': RateLimitedError,
  'operation-missing': OperationMissingError,
  'request-refused': RequestRefusedError,
  'service-trouble': ServiceTroubleError,
} as const satisfies Readonly<Record<FailureMeaning['kind'], unknown>>;

const temporaryKinds: ReadonlySet<FailureMeaning['kind']> = new Set(['rate-limited', 'service-trouble']);
