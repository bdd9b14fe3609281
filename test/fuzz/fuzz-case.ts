import fc from 'fast-check';
import type { JsonValue } from '../../src/lib/json.ts';
import type {
  AccountPage,
  InstantResponse,
  QueryResponse,
  RegisterResponse,
  Rejection,
  RetrackOutcome,
} from '../../src/service/port.ts';
import { assumedServiceClock } from '../../src/service/service-clock.ts';
import { readWebhook, type WebhookResult } from '../../src/service/webhook.ts';
import { CannedDispatcher, type CannedResponse } from '../support/canned-dispatcher.ts';
import { realClock } from '../support/real-clock.ts';
import type { ScriptedServer } from '../support/scripted-server.ts';
import { baseCallback, baseResponses, callbackTime } from './base-responses.ts';
import { type CallName, fuzzedCalls, type Outcome, runCall } from './calls.ts';
import { assertInvariant, checkError, checkJson, checkValue } from './invariants.ts';
import { toTree } from './json-tree.ts';
import { anyMutation, type Mutation, printMutated } from './mutations.ts';
import { fuzzKey } from './odd-values.ts';
import {
  checkAccountPage,
  checkDeleteResponse,
  checkInstantResponse,
  checkPushedRecord,
  checkQueryResponse,
  checkRegisterResponse,
  checkRetrackResponse,
} from './parcel-invariants.ts';

/** A call of the client, or a callback of the service. */
export type FuzzedName = CallName | 'webhook';

/** A call, and the service's response to it. */
export interface FuzzCase {
  readonly call: FuzzedName;
  /** Selects one of the responses that match the call. */
  readonly response: number;
  readonly mutations: readonly Mutation[];
  readonly wrapping: Wrapping;
}

/** Text around the JSON of a response. */
interface Wrapping {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly corruption: CorruptionName;
  /** Where it is corrupted, as a fraction of the text. */
  readonly at: number;
}

const corruptions = {
  nothing: (text: string) => Buffer.from(text),
  byteOrderMark: (text: string) => Buffer.from(`\ufeff${text}`),
  cutOff: (text: string, at: number) => Buffer.from(text.slice(0, Math.floor(text.length * at))),
  prefix: (text: string) => Buffer.from(`\u001b[2J)]}',\n${text}`),
  suffix: (text: string) => Buffer.from(`${text}\u001b[31m${fuzzKey}`),
  web: () => Buffer.from('<!doctype html><title>\u202elogin\u001b[0m</title>'),
  echo: () => Buffer.from(`${fuzzKey} is not a key`),
  badBytes: (text: string, at: number) => {
    const bytes = Buffer.from(text);
    const position = Math.floor(bytes.length * at);
    return Buffer.concat([bytes.subarray(0, position), Buffer.from([0xff, 0xc0, 0xaf]), bytes.subarray(position)]);
  },
} as const;

type CorruptionName = keyof typeof corruptions;

const dates = ['Sat, 21 Nov 2026 12:00:00 GMT', 'never', '\u00ff', '', 'Thu, 01 Jan 275761 00:00:00 GMT'];
const plainWrapping: Wrapping = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  corruption: 'nothing',
  at: 0,
};
const oddWrapping: fc.Arbitrary<Wrapping> = fc.record({
  status: fc.constantFrom(200, 201, 204, 226, 301, 304, 400, 401, 402, 403, 404, 418, 429, 500, 503, 599),
  headers: fc.record({
    'content-type': fc.constantFrom('application/json', 'text/html', 'application/json; charset=utf-7', '\u00ff', ''),
    date: fc.constantFrom(...dates),
    'retry-after': fc.constantFrom('1', '-1', '1e9', '99999999999', ...dates),
  }),
  corruption: fc.constantFrom(...(Object.keys(corruptions) as CorruptionName[])),
  at: fc.integer({ min: 0, max: 99 }).map((percent) => percent / 100),
});

const callNames: readonly FuzzedName[] = [...(Object.keys(fuzzedCalls) as CallName[]), 'webhook'];

/** Any case. It shrinks towards an ordinary call with an ordinary response. */
export const anyCase: fc.Arbitrary<FuzzCase> = fc.record({
  call: fc.constantFrom(...callNames),
  response: fc.nat(11),
  mutations: fc.array(anyMutation, { maxLength: 7 }),
  wrapping: fc.oneof({ weight: 6, arbitrary: fc.constant(plainWrapping) }, { weight: 1, arbitrary: oddWrapping }),
});

const responseNames = Object.keys(baseResponses) as (keyof typeof baseResponses)[];

/** Returns a response that matches the call, or sometimes one to a different call. */
function responseFor({ call, response }: FuzzCase): JsonValue {
  if (call === 'webhook') return baseCallback;
  const matching = fuzzedCalls[call].responses;
  const name = response < 11 ? matching[response % matching.length] : responseNames[call.length % responseNames.length];
  return baseResponses[name ?? 'failure'];
}

/** Returns the service's response in a case. */
export function cannedResponse(fuzzCase: FuzzCase): CannedResponse {
  const { mutations, wrapping } = fuzzCase;
  const text = printMutated(toTree(responseFor(fuzzCase)), mutations);
  return {
    status: wrapping.status,
    headers: wrapping.headers,
    body: corruptions[wrapping.corruption](text, wrapping.at),
  };
}

/** Throws a BrokenInvariantError if the outcome of a case breaks an invariant. */
export function checkOutcome(call: FuzzedName, outcome: Outcome, payload: string): void {
  if (outcome.kind === 'threw') {
    assertInvariant(call !== 'webhook', () => `reading a callback threw ${String(outcome.error)}`);
    checkError(outcome.error);
    return;
  }
  const { value } = outcome;
  if (value !== undefined) {
    checkValue(value, call);
    checkJson(value, call);
  }
  if (call === 'webhook') {
    const reading = value as WebhookResult;
    if (reading.ok) checkPushedRecord(reading.record, payload);
    return;
  }
  checkResponse(call, value, payload);
}

function checkResponse(call: CallName, value: unknown, payload: string): void {
  const requested = fuzzedCalls[call].requested ?? [];
  switch (call) {
    case 'query':
    case 'queryV2':
      checkQueryResponse(value as QueryResponse, requested, payload);
      return;
    case 'search':
      checkAccountPage(value as AccountPage, payload);
      return;
    case 'register':
    case 'registerV21':
      checkRegisterResponse(value as RegisterResponse, requested);
      return;
    case 'delete':
      checkDeleteResponse(value as readonly Rejection[], requested);
      return;
    case 'retrackOne':
    case 'retrackMany':
      checkRetrackResponse(value as readonly RetrackOutcome[], requested, payload);
      return;
    case 'instant':
      checkInstantResponse(value as Partial<InstantResponse>, requested, payload);
      return;
    case 'couriers':
    case 'edit':
    case 'changeCourier':
      return;
  }
}

/** Reads a body as the webhook receiver does. */
function callbackOutcome(body: string): Outcome {
  try {
    const value = readWebhook(body, {
      apiKey: fuzzKey,
      signature: 'hmac',
      serviceClock: assumedServiceClock,
      now: Number(callbackTime),
      maxAgeMs: 300_000,
    });
    return { kind: 'returned', value };
  } catch (error) {
    return { kind: 'threw', error };
  }
}

const unusedUrl = new URL('http://127.0.0.1:9/gateway');

/** Tries one case in memory. Throws a BrokenInvariantError. */
export async function tryCase(fuzzCase: FuzzCase): Promise<void> {
  const { call } = fuzzCase;
  const response = cannedResponse(fuzzCase);
  const payload = response.body.toString();
  const outcome =
    call === 'webhook'
      ? callbackOutcome(payload)
      : await runCall(call, { baseUrl: unusedUrl, dispatcher: new CannedDispatcher(() => response) });
  checkOutcome(call, outcome, payload);
}

/** Tries one case over HTTP with the given server. Throws a BrokenInvariantError. */
export async function tryCaseOverHttp(fuzzCase: FuzzCase, server: ScriptedServer): Promise<void> {
  const { call } = fuzzCase;
  // Callbacks go in the opposite direction.
  if (call === 'webhook') return;
  const { status, headers, body } = cannedResponse(fuzzCase);
  server.respondWith((_request, response) => {
    response.writeHead(status, headers);
    response.end(body);
  });
  const outcome = await runCall(call, { baseUrl: server.baseUrl, clock: realClock, timeoutMs: 5000 });
  checkOutcome(call, outcome, body.toString());
}
