import fc from 'fast-check';
import type { JsonValue } from '../../src/lib/json.ts';
import type {
  AccountPage,
  InstantResponse,
  QueryResponse,
  RegisterResponse,
  Rejection,
  RetrackOutcome,
} from '../../src/service/record.ts';
import { assumedServiceClock } from '../../src/service/service-clock.ts';
import { readWebhook, type WebhookReading } from '../../src/service/webhook.ts';
import { CannedDispatcher, type CannedResponse } from '../support/canned-dispatcher.ts';
import { realClock } from '../support/real-clock.ts';
import type { ScriptedServer } from '../support/scripted-server.ts';
import { baseAnswers, baseCallback, callbackTime } from './base-responses.ts';
import { type CallName, fuzzedCalls, type Outcome, outcomeOf } from './calls.ts';
import { checkError, checkJson, checkValue, promise } from './invariants.ts';
import { treeOf } from './json-tree.ts';
import { anyMutation, type Mutation, mutatedText } from './mutations.ts';
import { fuzzKey } from './odd-values.ts';
import {
  checkAccountPage,
  checkDeleteAnswer,
  checkInstantAnswer,
  checkPushedRecord,
  checkQueryAnswer,
  checkRegisterAnswer,
  checkRetrackAnswer,
} from './parcel-invariants.ts';

/** A call of the client, or a callback of the service. */
export type FuzzedName = CallName | 'webhook';

/** A call, and the service's response to it. */
export interface FuzzCase {
  readonly call: FuzzedName;
  /** Which of the responses that fit the call. */
  readonly answer: number;
  readonly mutations: readonly Mutation[];
  readonly wrapping: Wrapping;
}

/** Text around the JSON of a response. */
interface Wrapping {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly spoil: SpoilName;
  /** Where it is corrupted, as a share of the text. */
  readonly at: number;
}

const spoils = {
  nothing: (text: string) => Buffer.from(text),
  byteOrderMark: (text: string) => Buffer.from(`\ufeff${text}`),
  cutOff: (text: string, at: number) => Buffer.from(text.slice(0, Math.floor(text.length * at))),
  prefix: (text: string) => Buffer.from(`\u001b[2J)]}',\n${text}`),
  suffix: (text: string) => Buffer.from(`${text}\u001b[31m${fuzzKey}`),
  web: () => Buffer.from('<!doctype html><title>\u202elogin\u001b[0m</title>'),
  echo: () => Buffer.from(`${fuzzKey} is no key`),
  badBytes: (text: string, at: number) => {
    const bytes = Buffer.from(text);
    const position = Math.floor(bytes.length * at);
    return Buffer.concat([bytes.subarray(0, position), Buffer.from([0xff, 0xc0, 0xaf]), bytes.subarray(position)]);
  },
} as const;

type SpoilName = keyof typeof spoils;

const dates = ['Sat, 21 Nov 2026 12:00:00 GMT', 'never', '\u00ff', '', 'Thu, 01 Jan 275761 00:00:00 GMT'];
const usual: Wrapping = { status: 200, headers: { 'content-type': 'application/json' }, spoil: 'nothing', at: 0 };
const oddWrapping: fc.Arbitrary<Wrapping> = fc.record({
  status: fc.constantFrom(200, 201, 204, 226, 301, 304, 400, 401, 402, 403, 404, 418, 429, 500, 503, 599),
  headers: fc.record({
    'content-type': fc.constantFrom('application/json', 'text/html', 'application/json; charset=utf-7', '\u00ff', ''),
    date: fc.constantFrom(...dates),
    'retry-after': fc.constantFrom('1', '-1', '1e9', '99999999999', ...dates),
  }),
  spoil: fc.constantFrom(...(Object.keys(spoils) as SpoilName[])),
  at: fc.integer({ min: 0, max: 99 }).map((percent) => percent / 100),
});

const callNames: readonly FuzzedName[] = [...(Object.keys(fuzzedCalls) as CallName[]), 'webhook'];

/** Any case. It shrinks towards an ordinary call with an ordinary response. */
export const anyCase: fc.Arbitrary<FuzzCase> = fc.record({
  call: fc.constantFrom(...callNames),
  answer: fc.nat(11),
  mutations: fc.array(anyMutation, { maxLength: 7 }),
  wrapping: fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: oddWrapping }),
});

const answerNames = Object.keys(baseAnswers) as (keyof typeof baseAnswers)[];

/** Usually a response that fits the call, sometimes the response to another one. */
function replacementOf({ call, answer }: FuzzCase): JsonValue {
  if (call === 'webhook') return baseCallback;
  const fitting = fuzzedCalls[call].answers;
  const name = answer < 11 ? fitting[answer % fitting.length] : answerNames[call.length % answerNames.length];
  return baseAnswers[name ?? 'failure'];
}

/** The service's response in a case. */
export function cannedAnswer(fuzzCase: FuzzCase): CannedResponse {
  const { mutations, wrapping } = fuzzCase;
  const text = mutatedText(treeOf(replacementOf(fuzzCase)), mutations);
  return { status: wrapping.status, headers: wrapping.headers, body: spoils[wrapping.spoil](text, wrapping.at) };
}

/** Throws a BrokenInvariantError if the outcome of a case breaks an invariant. */
export function checkOutcome(call: FuzzedName, outcome: Outcome, payload: string): void {
  if (outcome.kind === 'threw') {
    promise(call !== 'webhook', () => `reading a callback threw ${String(outcome.error)}`);
    checkError(outcome.error);
    return;
  }
  const { value } = outcome;
  if (value !== undefined) {
    checkValue(value, call);
    checkJson(value, call);
  }
  if (call === 'webhook') {
    const reading = value as WebhookReading;
    if (reading.ok) checkPushedRecord(reading.record, payload);
    return;
  }
  checkAnswer(call, value, payload);
}

function checkAnswer(call: CallName, value: unknown, payload: string): void {
  const requested = fuzzedCalls[call].requested ?? [];
  switch (call) {
    case 'query':
    case 'queryV2':
      checkQueryAnswer(value as QueryResponse, requested, payload);
      return;
    case 'search':
      checkAccountPage(value as AccountPage, payload);
      return;
    case 'register':
    case 'registerV21':
      checkRegisterAnswer(value as RegisterResponse, requested);
      return;
    case 'delete':
      checkDeleteAnswer(value as readonly Rejection[], requested);
      return;
    case 'retrackOne':
    case 'retrackMany':
      checkRetrackAnswer(value as readonly RetrackOutcome[], requested, payload);
      return;
    case 'instant':
      checkInstantAnswer(value as Partial<InstantResponse>, requested, payload);
      return;
    case 'couriers':
    case 'edit':
    case 'changeCourier':
      return;
  }
}

/** Reads a body like the webhook's receiver. */
function callbackOutcome(body: string): Outcome {
  try {
    const value = readWebhook(body, {
      apiKey: fuzzKey,
      signature: 'hmac',
      serviceClock: assumedServiceClock,
      now: Number(callbackTime),
      maxAgeMs: 300_000,
    });
    return { kind: 'answered', value };
  } catch (error) {
    return { kind: 'threw', error };
  }
}

const nowhere = new URL('http://127.0.0.1:9/gateway');

/** Tries one case in memory. Throws a BrokenInvariantError. */
export async function tryCase(fuzzCase: FuzzCase): Promise<void> {
  const { call } = fuzzCase;
  const answer = cannedAnswer(fuzzCase);
  const payload = answer.body.toString();
  const outcome =
    call === 'webhook'
      ? callbackOutcome(payload)
      : await outcomeOf(call, { baseUrl: nowhere, dispatcher: new CannedDispatcher(() => answer) });
  checkOutcome(call, outcome, payload);
}

/** Tries one case over HTTP with a server of the test. Throws a BrokenInvariantError. */
export async function tryCaseOverHttp(fuzzCase: FuzzCase, server: ScriptedServer): Promise<void> {
  const { call } = fuzzCase;
  // Callbacks go in the other direction.
  if (call === 'webhook') return;
  const { status, headers, body } = cannedAnswer(fuzzCase);
  server.respondWith((_request, response) => {
    response.writeHead(status, headers);
    response.end(body);
  });
  const outcome = await outcomeOf(call, { baseUrl: server.baseUrl, clock: realClock, timeoutMs: 5000 });
  checkOutcome(call, outcome, body.toString());
}
