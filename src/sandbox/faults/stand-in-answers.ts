import type { FaultName, FaultRule } from './fault-rule.ts';

/** An answer given in the place of the operation, which does not happen. */
export interface StandInAnswer {
  readonly httpStatus: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The call that gets a stand-in answer. */
export interface StandInCall {
  readonly rule: FaultRule;
  readonly path: string;
  readonly traceId: string;
  /** The web framework's page for an unknown path. */
  readonly notFoundPage: Readonly<Record<string, string | number>>;
}

const defaultRetryMs = 2000;

const json = (httpStatus: number, body: unknown, headers: Readonly<Record<string, string>> = {}): StandInAnswer => ({
  httpStatus,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

const page = (httpStatus: number, body: string): StandInAnswer => ({
  httpStatus,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body,
});

const failure =
  (httpStatus: number, code: string, msg: string) =>
  ({ traceId }: StandInCall): StandInAnswer =>
    json(httpStatus, { code, msg, traceId });

const gatewayPage =
  '<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center></body></html>';
const loginPage =
  '<!DOCTYPE html><html><head><title>Sign in to the network</title></head><body><form>Please sign in</form></body></html>';

/**
 * Faults that answer in the place of the operation. Which HTTP status the public service sends with which code is
 * documented nowhere; both ways of reporting a failure occur here.
 */
export const standInAnswers: Partial<Readonly<Record<FaultName, (call: StandInCall) => StandInAnswer>>> = {
  'rate-limit-429': ({ rule, traceId }) =>
    json(
      429,
      { code: 'A0706', msg: 'too many requests', traceId },
      { 'retry-after': String(Math.ceil((rule.delayMs ?? defaultRetryMs) / 1000)) },
    ),
  'rate-limit-200': failure(200, 'A0706', 'too many requests'),
  'error-500': failure(500, 'B0001', 'system error'),
  'html-502': () => page(502, gatewayPage),
  'html-200': () => page(200, loginPage),
  'not-found-404': ({ notFoundPage }) => json(404, notFoundPage),
  // The words are those that a client of the public service met.
  'forbidden-403': () => json(403, { message: '404' }),
  'missing-operation': failure(200, 'C0113', 'interface does not exist'),
  'out-of-credit': failure(200, '101107', 'The tracking credit of the account is used up'),
  'key-revoked': failure(401, 'A0231', 'token is forbidden'),
  'message-only': () => json(200, { message: 'Internal error' }),
};
