import { RefusedCallError } from '../../src/sandbox/http/answers.ts';
import { Credit } from '../../src/sandbox/http/credit.ts';
import { operationsOf, type ServedOperation } from '../../src/sandbox/http/operations.ts';
import { createRateLimit, type RateLimit } from '../../src/sandbox/http/rate-limit.ts';
import type { Account } from '../../src/sandbox/world/account.ts';
import type { Clock } from '../../src/service/clock/clock.ts';
import type { WireRecord } from '../../src/service/record/wire.ts';
import type { JsonValue } from '../../src/service/text/json.ts';
import { AnsweringDispatcher, type CannedAnswer } from '../support/answering-dispatcher.ts';
import { RecordCache } from './record-cache.ts';
import { RepeatAbridger } from './repeated-records.ts';

interface Served {
  readonly operation: ServedOperation;
  readonly limit: RateLimit;
}

/** How records are sent that have changed in nothing but their latest fields: as any other, or abridged. */
export type Repeats = 'whole' | 'abridged';

/**
 * The sandbox's operations at the other end of the client, without a socket in between: JSON goes in, JSON comes out,
 * and calls over the rate are refused as over HTTP. Where repeats are abridged, the client needs the decoder of
 * `createRepeatDecoder`.
 */
export class WorldDispatcher extends AnsweringDispatcher {
  readonly #operations: ReadonlyMap<string, Served>;

  constructor(account: Account, clock: Clock, repeats: Repeats = 'whole') {
    super(({ path, body }) => this.#answer(path, String(body ?? 'null')));
    const records = new RecordCache(account);
    const abridger = new RepeatAbridger();
    const recordAt: Account['recordAt'] = (registration, now) => {
      const cached = records.recordAt(registration, now);
      // What stands for a record is one to whoever hands it on.
      return (repeats === 'abridged' ? abridger.abridge(cached) : { ...cached.record, ...cached.latest }) as WireRecord;
    };
    const remembering: Account = Object.create(account, { recordAt: { value: recordAt } });
    const operations = operationsOf({ account: remembering, clock, credit: new Credit(null), courierRows: [] });
    this.#operations = new Map(
      operations.map((operation) => [
        operation.path,
        { operation, limit: createRateLimit(clock, operation.callsPerSecond) },
      ]),
    );
  }

  #answer(path: string, body: string): CannedAnswer {
    try {
      const served = this.#operations.get(path);
      if (served === undefined) throw new RefusedCallError(404, 'C0113', 'interface does not exist');
      if (served.limit.admit() > 0) throw new RefusedCallError(429, 'A0706', 'too many requests');
      const data = served.operation.answer(JSON.parse(body) as JsonValue);
      const answer = { code: '00000', data, msg: 'Success', traceId: 'simulated' };
      return { status: 200, headers, body: Buffer.from(JSON.stringify(answer)) };
    } catch (error) {
      if (!(error instanceof RefusedCallError)) throw error;
      const refusal = { code: error.code, msg: error.message, traceId: 'simulated' };
      return { status: error.httpStatus, headers, body: Buffer.from(JSON.stringify(refusal)) };
    }
  }
}

const headers = { 'content-type': 'application/json' };
