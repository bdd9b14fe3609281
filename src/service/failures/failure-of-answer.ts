import type { Envelope } from '../http/envelope.ts';
import type { Operation, OperationName } from '../operations.ts';
import { cleanTextOrNull } from '../text/clean-text.ts';
import { reasonWords } from '../text/reason-words.ts';
import {
  BadAnswerError,
  KeyRefusedError,
  OperationMissingError,
  QuotaExhaustedError,
  RateLimitedError,
  RequestRefusedError,
  type ServiceError,
  type ServiceErrorDetails,
  ServiceTroubleError,
} from './errors.ts';
import { type FailureMeaning, meaningOf } from './failure-codes.ts';

/** What is known of an answer that reports a failure. */
export interface FailedAnswer {
  readonly operation: Operation;
  readonly httpStatus: number;
  /** Null when the body is no JSON object. */
  readonly envelope: Envelope | null;
  /** From Retry-After, in milliseconds. */
  readonly retryAfterMs: number | null;
}

/** The code of success; compared as text. */
export const successCode = '00000';

/** The named error for an answer that is not a success: what happened, what the program does, what the user can do. */
export function failureOf(answer: FailedAnswer): ServiceError {
  const { envelope, httpStatus, operation, retryAfterMs } = answer;
  const code = envelope?.code ?? null;
  const meaning = meaningOf(code, httpStatus, envelope?.message ?? '');
  const details: ServiceErrorDetails = { code, httpStatus, traceId: envelope?.traceId ?? null };
  if (meaning === null) return strangeAnswer(answer, code, details);
  const happened = meaning.happened.replace('{operation}', () => `"${operation.title}" at ${operation.path}`);
  const advice = meaning.advice
    .replace('{settings}', () => settingsOf(operation.name))
    .replace('{stops}', () => stopsText(operation.name, meaning));
  const message = `${happened} (${code ?? `HTTP ${httpStatus}`}).${wordsOf(envelope)} ${advice}`;
  return new errors[meaning.kind](message, passing.has(meaning.kind) ? { ...details, retryAfterMs } : details);
}

/** What stops after a failure that needs the user. Registrations fail on their own; without credit they are tried again. */
function stopsText(name: OperationName, { kind }: FailureMeaning): string {
  if (name !== 'register' && name !== 'registerV21') return 'Checks stop until that is settled and you refresh.';
  return kind === 'quota-exhausted'
    ? 'Registered numbers are checked as before; the others wait.'
    : 'Registrations stop until that is settled and you refresh; registered numbers are checked as before.';
}

/** The settings that decide where an operation is called, in words: which path, which version. */
function settingsOf(name: OperationName): string {
  const path = `service.operations.${name}.path`;
  if (name === 'query' || name === 'queryV2') return `${path} or service.queryVersion`;
  if (name === 'register' || name === 'registerV21') return `${path} or service.registerVersion`;
  return path;
}

/** The service's own words; `D0000` has them in its data. */
function wordsOf(envelope: Envelope | null): string {
  const detail = envelope?.code === 'D0000' ? cleanTextOrNull(envelope.data) : null;
  const words = [envelope?.message ?? null, detail].filter((text) => text !== null && text !== '');
  return words.length === 0 ? '' : ` It says: "${reasonWords(words.join(': '))}".`;
}

function strangeAnswer(
  { operation, envelope, retryAfterMs }: FailedAnswer,
  code: string | null,
  details: ServiceErrorDetails,
): ServiceError {
  const words = wordsOf(envelope);
  return code === null
    ? new BadAnswerError(
        `The answer to "${operation.title}" does not come from the service: it has no code.${words} The last good data stays. Check the base URL and ${settingsOf(operation.name)}.`,
        details,
      )
    : new ServiceTroubleError(
        `The service reports a failure with an unknown code (${code}).${words} The last good data stays.`,
        { ...details, retryAfterMs },
      );
}

/** The errors of the kinds that answers report. */
const errors = {
  'key-refused': KeyRefusedError,
  'quota-exhausted': QuotaExhaustedError,
  'rate-limited': RateLimitedError,
  'operation-missing': OperationMissingError,
  'request-refused': RequestRefusedError,
  'service-trouble': ServiceTroubleError,
} as const satisfies Readonly<Record<FailureMeaning['kind'], unknown>>;

/** Of which Retry-After is heeded. */
const passing: ReadonlySet<FailureMeaning['kind']> = new Set(['rate-limited', 'service-trouble']);
