import * as v from 'valibot';
import { defaultOperations, type OperationName } from '../../service/operations.ts';
import { isJsonObject, type JsonValue } from '../../service/text/json.ts';
import { didYouMean } from '../../service/text/nearest-word.ts';
import { unusableOption } from '../errors.ts';

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

const names = Object.keys(faults) as FaultName[];
const operationNames = Object.keys(defaultOperations) as OperationName[];
const probabilityProblem = 'The probability of a fault is above 0 and at most 1, as in error-500:p=0.3.';
const countProblem = 'The count of a fault is a whole number, as in error-500:count=5.';
const delayProblem = 'The delay of a fault is a number of milliseconds, as in slow:delay=2000.';

const ruleSchema = v.object({
  name: v.picklist(
    names,
    ({ input, received }) =>
      `There is no fault ${received}.${didYouMean(String(input), names)} Choose one of: ${names.join(', ')}.`,
  ),
  /** How likely a call is spoilt; every one when left out. */
  probability: v.exactOptional(
    v.pipe(v.number(probabilityProblem), v.gtValue(0, probabilityProblem), v.maxValue(1, probabilityProblem)),
  ),
  /** How many calls are spoilt; without an end when left out. Only calls that the fault can spoil count. */
  count: v.exactOptional(v.pipe(v.number(countProblem), v.safeInteger(countProblem), v.minValue(0, countProblem))),
  /** Only this operation's calls; all when left out. */
  operation: v.exactOptional(
    v.picklist(
      operationNames,
      ({ received }) =>
        `${received} is neither an operation nor p=, count= or delay=. Operations: ${operationNames.join(', ')}.`,
    ),
  ),
  /**
   * For `slow` how long an answer takes, for `rate-limit-429` what Retry-After says, for `slow-index` how long; in
   * milliseconds.
   */
  delayMs: v.exactOptional(
    v.pipe(v.number(delayProblem), v.minValue(0, delayProblem), v.ltValue(2 ** 31, delayProblem)),
  ),
});

/** When one fault happens. */
export type FaultRule = Readonly<v.InferOutput<typeof ruleSchema>>;

function ruleOf(fields: object): FaultRule {
  const result = v.safeParse(ruleSchema, fields, { abortEarly: true });
  if (result.success) return result.output;
  throw unusableOption(result.issues[0].message);
}

/** The settings of a rule as they are written in a text. */
const settings = new Map([
  ['p', 'probability'],
  ['count', 'count'],
  ['delay', 'delayMs'],
]);

function readPart(part: string): object {
  const [key = '', value] = part.split('=', 2);
  const field = settings.get(key);
  if (field === undefined || value === undefined) return { operation: part };
  return { [field]: value.trim() === '' ? Number.NaN : Number(value) };
}

/**
 * Reads a fault as it is written on the command line: `NAME`, and behind colons in any order `p=0.3` (probability),
 * `count=5`, `delay=2000` (milliseconds) and an operation, as in `error-500:p=0.3:query`. Throws a
 * `SandboxStartError` that lists what there is.
 */
export function parseFault(text: string): FaultRule {
  const [name, ...parts] = text.trim().split(':');
  return ruleOf(Object.assign({ name }, ...parts.map((part) => readPart(part.trim()))));
}

/**
 * Reads a fault from JSON: a text as {@link parseFault} takes it, or an object with the fields of a {@link FaultRule}.
 * Throws a `SandboxStartError`.
 */
export function readFaultRule(value: JsonValue): FaultRule {
  if (typeof value === 'string') return parseFault(value);
  const given = Object.entries(isJsonObject(value) ? value : {}).filter(([, field]) => field !== null);
  return ruleOf({ name: null, ...Object.fromEntries(given) });
}
