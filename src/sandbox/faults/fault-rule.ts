import { defaultOperations, type OperationName } from '../../service/operations.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../service/text/json.ts';
import { UnusableFaultError } from '../errors.ts';

/** What the sandbox can be made to do wrong, with what it means. */
export const faults = {
  'rate-limit-429': 'A0706 with HTTP 429 and Retry-After (the delay, or two seconds)',
  'rate-limit-200': 'A0706 with HTTP 200',
  'error-500': 'B0001 with HTTP 500',
  'html-502': "a gateway's web page with HTTP 502",
  'html-200': 'a web page that asks to log in, with HTTP 200',
  'not-found-404': "the web framework's page for an unknown path",
  'forbidden-403': 'a message without a code, with HTTP 403',
  'missing-operation': 'C0113, the interface does not exist',
  'out-of-credit': '101107, the credit is used up',
  'key-revoked': 'A0231 with HTTP 401',
  'message-only': 'a message without a code, with HTTP 200',
  slow: 'the right answer after a delay (five seconds by default)',
  hang: 'no answer at all while the connection stays open',
  reset: 'the connection breaks in the middle of the body',
  'truncated-json': 'the answer ends in the middle',
  'empty-body': 'HTTP 200 and not one byte',
  'wrong-content-type': 'the right answer, declared as a web page',
  'giant-answer': 'an answer of more than 8 MiB',
  'missing-data': 'a success without data',
  'null-content': 'null where the accepted numbers belong',
  'slow-index': 'registered numbers are accepted, and not known to any call for a while (ten minutes by default)',
  'blank-record': 'a blank record after a full one',
  'missing-record': 'one number is neither accepted nor rejected',
  'wrong-order': 'records stand in the opposite order',
  'duplicate-records': 'every record comes twice',
  'repeating-page': 'every page is the first one again, and another one is promised',
  'hostile-text': 'escape sequences, bidirectional overrides, zero-width characters and very long texts',
  'unknown-status': 'statuses that nobody has heard of',
  'every-optional-missing': 'records with a number and nothing else',
} as const;

/** Names of the faults. */
export type FaultName = keyof typeof faults;

/** When one fault happens. */
export interface FaultRule {
  readonly name: FaultName;
  /** How likely a call is spoilt, above 0 up to 1; every one when left out. */
  readonly probability?: number;
  /** How many calls are spoilt; without an end when left out. Only calls that the fault can spoil count. */
  readonly count?: number;
  /** Only this operation's calls; all when left out. */
  readonly operation?: OperationName;
  /**
   * For `slow` how long an answer takes, for `rate-limit-429` what Retry-After says, for `slow-index` how long; in
   * milliseconds.
   */
  readonly delayMs?: number;
}

const isFaultName = (text: string): text is FaultName => Object.hasOwn(faults, text);
const isOperationName = (text: string): text is OperationName => Object.hasOwn(defaultOperations, text);

function faultName(text: string): FaultName {
  if (isFaultName(text)) return text;
  throw new UnusableFaultError(`There is no fault "${text}". Choose one of: ${Object.keys(faults).join(', ')}.`);
}

function operationName(text: string): OperationName {
  if (isOperationName(text)) return text;
  throw new UnusableFaultError(
    `"${text}" is neither an operation nor p=, count= or delay=. Operations: ${Object.keys(defaultOperations).join(', ')}.`,
  );
}

function probabilityOf(value: number): number {
  if (value > 0 && value <= 1) return value;
  throw new UnusableFaultError('The probability of a fault is above 0 and at most 1, as in error-500:p=0.3.');
}

function countOf(value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new UnusableFaultError('The count of a fault is a whole number, as in error-500:count=5.');
}

function delayOf(value: number): number {
  if (value >= 0 && value < 2 ** 31) return value;
  throw new UnusableFaultError('The delay of a fault is a number of milliseconds, as in slow:delay=2000.');
}

function readPart(part: string): Omit<FaultRule, 'name'> {
  const [key = '', value] = part.split('=', 2);
  if (value === undefined) return { operation: operationName(part) };
  const number = value.trim() === '' ? Number.NaN : Number(value);
  switch (key) {
    case 'p':
      return { probability: probabilityOf(number) };
    case 'count':
      return { count: countOf(number) };
    case 'delay':
      return { delayMs: delayOf(number) };
    default:
      return { operation: operationName(part) };
  }
}

/**
 * Reads a fault as it is written on the command line: `NAME`, and behind colons in any order `p=0.3` (probability),
 * `count=5`, `delay=2000` (milliseconds) and an operation, as in `error-500:p=0.3:query`. Throws an
 * {@link UnusableFaultError} that lists what there is.
 */
export function parseFault(text: string): FaultRule {
  const [name = '', ...parts] = text.trim().split(':');
  let rule: FaultRule = { name: faultName(name) };
  for (const part of parts) rule = { ...rule, ...readPart(part.trim()) };
  return rule;
}

const numberField = (source: JsonObject, name: string): number | null => {
  const value = source[name];
  if (value === undefined || value === null) return null;
  return typeof value === 'number' ? value : Number.NaN;
};

const textOf = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null);

/**
 * Reads a fault from JSON: a text as {@link parseFault} takes it, or an object with the fields of a {@link FaultRule}.
 * Throws an {@link UnusableFaultError}.
 */
export function readFaultRule(value: JsonValue): FaultRule {
  if (!isJsonObject(value)) return parseFault(textOf(value));
  const [probability, count, delayMs] = ['probability', 'count', 'delayMs'].map((name) => numberField(value, name));
  const operation = value['operation'];
  return {
    name: faultName(textOf(value['name'])),
    ...(probability == null ? {} : { probability: probabilityOf(probability) }),
    ...(count == null ? {} : { count: countOf(count) }),
    ...(operation === undefined || operation === null ? {} : { operation: operationName(textOf(operation)) }),
    ...(delayMs == null ? {} : { delayMs: delayOf(delayMs) }),
  };
}
