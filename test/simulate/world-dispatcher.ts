import { RefusedCallError } from '../../src/sandbox/http/answers.ts';
import { Credit } from '../../src/sandbox/http/credit.ts';
import { operationsOf, type ServedOperation } from '../../src/sandbox/http/operations.ts';
import { createRateLimit, type RateLimit } from '../../src/sandbox/http/rate-limit.ts';
import type { Account } from '../../src/sandbox/world/account.ts';
import type { Clock } from '../../src/service/clock/clock.ts';
import type { WireData, WirePage } from '../../src/service/record/wire.ts';
import type { JsonValue } from '../../src/service/text/json.ts';
import { AnsweringDispatcher, type CannedAnswer } from '../support/answering-dispatcher.ts';
import { RecordCache } from './record-cache.ts';

interface Served {
  readonly operation: ServedOperation;
  readonly limit: RateLimit;
}

/**
 * The sandbox's operations at the other end of the client, without a socket in between: JSON goes in, JSON comes out,
 * and calls over the rate are refused as over HTTP.
 */
export class WorldDispatcher extends AnsweringDispatcher {
  readonly #operations: ReadonlyMap<string, Served>;
  readonly #records: RecordCache;

  constructor(account: Account, clock: Clock) {
    super(({ path, body }) => this.#answer(path, String(body ?? 'null')));
    this.#records = new RecordCache(account);
    const recordAt: Account['recordAt'] = (registration, now) => this.#records.recordAt(registration, now);
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
      const data = this.#jsonOf(served.operation.answer(JSON.parse(body) as JsonValue));
      return { status: 200, headers, body: Buffer.concat([success, ...data, end]) };
    } catch (error) {
      if (!(error instanceof RefusedCallError)) throw error;
      const refusal = { code: error.code, msg: error.message, traceId: 'simulated' };
      return { status: error.httpStatus, headers, body: Buffer.from(JSON.stringify(refusal)) };
    }
  }

  /** The JSON of an answer's data in pieces; pages of records are put together out of the cache. */
  #jsonOf(data: unknown): readonly Buffer[] {
    if (!isPage(data)) return [Buffer.from(JSON.stringify(data))];
    const { content, ...page } = data.accepted;
    const records = content.flatMap((record, index) => [
      ...(index === 0 ? [] : [comma]),
      ...this.#records.jsonOf(record),
    ]);
    const rest = `],${JSON.stringify(page).slice(1)},"rejected":${JSON.stringify(data.rejected)}}`;
    return [Buffer.from('{"accepted":{"content":['), ...records, Buffer.from(rest)];
  }
}

const headers = { 'content-type': 'application/json' };
const comma = Buffer.from(',');
const success = Buffer.from('{"code":"00000","data":');
const end = Buffer.from(',"msg":"Success","traceId":"simulated"}');

function isPage(data: unknown): data is WireData<WirePage> {
  const accepted: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, 'accepted') : undefined;
  return typeof accepted === 'object' && accepted !== null && 'content' in accepted;
}
