import * as v from 'valibot';
import { dayMs, hourMs, minuteMs, secondMs } from '../../lib/clock.ts';
import { type ErrorText, NamedError } from '../../lib/error-text.ts';
import { isJsonObject, type JsonValue } from '../../lib/json.ts';
import { didYouMean } from '../../lib/text.ts';
import { defaultOperations, type OperationName } from '../../service/port.ts';

type SandboxErrorKind = 'port-taken' | 'listen-failed' | 'unusable-option';

/** The message tells the user what to do. */
export class SandboxStartError extends NamedError {
  readonly kind: SandboxErrorKind;

  constructor(kind: SandboxErrorKind, text: ErrorText, options?: ErrorOptions) {
    super(text, options);
    this.kind = kind;
  }
}

export function unusableOption(message: ErrorText): SandboxStartError {
  return new SandboxStartError('unusable-option', message);
}

/** Faults of the lookup schedule and the clock. They are always active, for all numbers or for the rule's numbers. */
const scheduleFaults = {
  lag: 'a record changes this long after its nextUpdateTime (30s by default; 5s-60s picks a random time for each lookup)',
  interval: 'the next update of a record is planned this long after the last one (1s by default)',
  'never-looked-up': 'new numbers stay INIT without nextUpdateTime; existing records do not change',
  skew: "the service's clock is ahead by this much (90s by default), or behind, as in skew:-90s",
} as const;

export const faults = {
  ...scheduleFaults,
  'rate-limit-429': 'A0706 with HTTP 429 and Retry-After (the given time, or two seconds)',
  'rate-limit-200': 'A0706 with HTTP 200',
  'error-500': 'B0001 with HTTP 500',
  'error-200': 'D0000 with HTTP 200',
  'bad-format-400': 'A0400 "params format error" with HTTP 400',
  'html-502': "a gateway's web page with HTTP 502",
  'html-200': 'a web page that asks to log in, with HTTP 200',
  'not-found-404': "the web framework's page for an unknown path",
  'forbidden-403': 'a message without a code, with HTTP 403',
  'missing-operation': 'C0113: the operation does not exist',
  'out-of-credit': '101107: the credit is used up',
  'key-revoked': 'A0231 with HTTP 401',
  'unauthorized-401': 'A0301 with HTTP 401',
  'message-only': 'a message without a code, with HTTP 200',
  slow: 'the correct response after a delay (five seconds by default)',
  hang: 'no response, while the connection stays open',
  reset: 'the connection is closed in the middle of the body',
  'truncated-json': 'the response stops in the middle',
  'empty-body': 'HTTP 200 with an empty body',
  'wrong-content-type': 'the correct response, declared as a web page',
  'giant-answer': 'a response of more than 8 MiB',
  'missing-data': 'a success without data',
  'null-content': 'null instead of the accepted numbers',
  'slow-index': 'registered numbers are accepted but unknown to all calls for a while (ten minutes by default)',
  'blank-record': 'a full record the first time, a blank one from then on',
  'missing-record': 'one number, or each of the named ones, is neither accepted nor rejected',
  'no-record': 'records are NO_RECORD without events and without nextUpdateTime',
  'wrong-order': 'records are in reverse order',
  'duplicate-records': 'every record appears twice',
  'repeating-page': 'every page repeats the first one and announces a further one',
  'hostile-text': 'escape sequences, bidirectional overrides, zero-width characters and very long texts',
  'unknown-status': 'unknown statuses',
  'every-optional-missing': 'records with nothing but a number',
} as const;

export type FaultName = keyof typeof faults;

const names = Object.keys(faults) as FaultName[];
const operationNames = Object.keys(defaultOperations) as OperationName[];
const probabilityProblem = 'The probability must be above 0 and at most 1, as in error-500:p=0.3.';
const countProblem = 'The count must be a whole number, as in error-500:count=5.';
const numbersProblem = 'Separate the tracking numbers of a fault with commas, as in error-500:number=A1,B2.';
const timeProblem =
  'Give the time of a fault in ms, s, m, h or d, as in slow:2s, or in milliseconds, as in delay=2000.';
const maxTimeMs = 2 ** 31;

const time = v.pipe(v.number(timeProblem), v.gtValue(-maxTimeMs, timeProblem), v.ltValue(maxTimeMs, timeProblem));

const ruleSchema = v.object({
  name: v.picklist(
    names,
    ({ input, received }) =>
      `Unknown fault ${received}.${didYouMean(String(input), names)} Choose one of: ${names.join(', ')}.`,
  ),
  /** Defaults to 1. */
  probability: v.exactOptional(
    v.pipe(v.number(probabilityProblem), v.gtValue(0, probabilityProblem), v.maxValue(1, probabilityProblem)),
  ),
  /** Defaults to no limit. Only calls that the fault changes count. */
  count: v.exactOptional(v.pipe(v.number(countProblem), v.safeInteger(countProblem), v.minValue(0, countProblem))),
  /** Defaults to all operations. */
  operation: v.exactOptional(
    v.picklist(
      operationNames,
      ({ received }) =>
        `${received} is not an operation, a time, p=, count= or number=. Operations: ${operationNames.join(', ')}.`,
    ),
  ),
  /** The fault affects only calls with these numbers, or only their records if it changes records. Defaults to all. */
  numbers: v.exactOptional(
    v.pipe(
      v.array(v.pipe(v.string(numbersProblem), v.nonEmpty(numbersProblem)), numbersProblem),
      v.nonEmpty(numbersProblem),
    ),
  ),
  /** Each fault has its own default. */
  delayMs: v.exactOptional(time),
  /** If set, the delay is random, between `delayMs` and this value. */
  longestMs: v.exactOptional(time),
});

export type FaultRule = Readonly<v.InferOutput<typeof ruleSchema>>;

function ruleProblem({
  name,
  probability,
  count,
  operation,
  numbers,
  delayMs = 0,
  longestMs,
}: FaultRule): string | null {
  const perCall = probability ?? count ?? operation;
  if (Object.hasOwn(scheduleFaults, name) && perCall !== undefined)
    return `The fault ${name} is always active, so it takes no p=, count= or operation.`;
  if (name === 'skew')
    return numbers === undefined ? null : 'The fault skew affects the whole service, so it takes no number=.';
  if (delayMs < 0) return `The time of the fault ${name} cannot be negative; only skew takes a negative time.`;
  if (longestMs === undefined) return null;
  if (name !== 'lag') return `The fault ${name} takes one time; only lag takes a range.`;
  return longestMs < delayMs ? 'The range of lag must start with the shorter time, as in lag:5s-60s.' : null;
}

function validateRule(fields: object): FaultRule {
  const result = v.safeParse(ruleSchema, fields, { abortEarly: true });
  if (!result.success) throw unusableOption(result.issues[0].message);
  const problem = ruleProblem(result.output);
  if (problem !== null) throw unusableOption(problem);
  return result.output;
}

const units: Readonly<Record<string, number>> = { ms: 1, s: secondMs, m: minuteMs, h: hourMs, d: dayMs };
const timePattern = /^([+-]?\d+(?:\.\d+)?)(ms|s|m|h|d)(?:-(\d+(?:\.\d+)?)(ms|s|m|h|d))?$/;

const parseNumber = (value: string): number => (value.trim() === '' ? Number.NaN : Number(value));

const partParsers = new Map<string, (value: string) => Partial<Record<keyof FaultRule, unknown>>>([
  ['p', (value) => ({ probability: parseNumber(value) })],
  ['count', (value) => ({ count: parseNumber(value) })],
  ['delay', (value) => ({ delayMs: parseNumber(value) })],
  ['number', (value) => ({ numbers: value.split(',').map((number) => number.trim()) })],
]);

function parsePart(part: string): object {
  const [, amount, unit = '', max, maxUnit = ''] = timePattern.exec(part) ?? [];
  if (amount !== undefined) {
    const delayMs = Number(amount) * (units[unit] ?? 1);
    return max === undefined ? { delayMs } : { delayMs, longestMs: Number(max) * (units[maxUnit] ?? 1) };
  }
  const [key = '', value] = part.split('=', 2);
  const parse = value === undefined ? undefined : partParsers.get(key);
  return value === undefined || parse === undefined ? { operation: part } : parse(value);
}

/**
 * Parses `NAME`, followed in any order by an operation, `p=0.3` (probability), `count=5`, `number=A1,B2` and a time
 * (`30s`, `5s-60s` or `delay=2000` in milliseconds), separated by colons, for example `error-500:p=0.3:query`. Throws a
 * `SandboxStartError` that lists the valid options.
 */
export function parseFault(text: string): FaultRule {
  const [name, ...parts] = text.trim().split(':');
  return validateRule(Object.assign({ name }, ...parts.map((part) => parsePart(part.trim()))));
}

/**
 * Parses a string like {@link parseFault}, or an object with the fields of a {@link FaultRule}. Throws a
 * `SandboxStartError`.
 */
export function readFaultRule(value: JsonValue): FaultRule {
  if (typeof value === 'string') return parseFault(value);
  const fields = Object.entries(isJsonObject(value) ? value : {}).filter(([, field]) => field !== null);
  return validateRule({ name: null, ...Object.fromEntries(fields) });
}

export function appliesTo({ numbers }: Pick<FaultRule, 'numbers'>, trackNo: string): boolean {
  return numbers === undefined || numbers.some((number) => number.toUpperCase() === trackNo.toUpperCase());
}
