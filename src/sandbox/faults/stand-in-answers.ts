import { badFormat, notFoundPage, RefusedCallError, refusedForRate } from '../http/answers.ts';
import type { FaultName, FaultRule } from './fault-rule.ts';

/** The call that gets a stand-in answer. */
export interface StandInCall {
  readonly rule: FaultRule;
  readonly path: string;
  readonly now: number;
}

const defaultRetryMs = 2000;

const page = (status: number, body: string): Response =>
  new Response(body, { status, headers: { 'content-type': 'text/html; charset=utf-8' } });

const refuse =
  (...refusal: ConstructorParameters<typeof RefusedCallError>) =>
  (): never => {
    throw new RefusedCallError(...refusal);
  };

const gatewayPage =
  '<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center></body></html>';
const loginPage =
  '<!DOCTYPE html><html><head><title>Sign in to the network</title></head><body><form>Please sign in</form></body></html>';

/**
 * Faults that answer, or refuse, in the place of the operation, which does not happen. Which HTTP status the public
 * service sends with which code is documented nowhere; both ways of reporting a failure occur here.
 */
export const standInAnswers: Partial<Readonly<Record<FaultName, (call: StandInCall) => Response>>> = {
  'rate-limit-429': ({ rule }) => {
    throw refusedForRate(rule.delayMs ?? defaultRetryMs);
  },
  'rate-limit-200': refuse(200, 'A0706', 'too many requests'),
  'error-500': refuse(500, 'B0001', 'system error'),
  'error-200': refuse(200, 'D0000', 'other error'),
  'bad-format-400': () => {
    throw badFormat();
  },
  'html-502': () => page(502, gatewayPage),
  'html-200': () => page(200, loginPage),
  'not-found-404': ({ path, now }) => Response.json(notFoundPage(path, now), { status: 404 }),
  // The words are those that a client of the public service met.
  'forbidden-403': () => Response.json({ message: '404' }, { status: 403 }),
  'missing-operation': refuse(200, 'C0113', 'interface does not exist'),
  'out-of-credit': refuse(200, '101107', 'The tracking credit of the account is used up'),
  'key-revoked': refuse(401, 'A0231', 'token is forbidden'),
  'unauthorized-401': refuse(401, 'A0301', 'unauthorized'),
  'message-only': () => Response.json({ message: 'Internal error' }),
};
