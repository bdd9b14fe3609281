import type { Clock } from '../../src/lib/clock.ts';
import type { JsonObject, JsonValue } from '../../src/lib/json.ts';
import { type FaultSwitch, numbersIn, replacements } from '../../src/sandbox/faults/active-faults.ts';
import { operationsOf, type ServedOperation } from '../../src/sandbox/http/operations.ts';
import { Credit, RefusedCallError } from '../../src/sandbox/http/responses.ts';
import { createRateLimit } from '../../src/sandbox/http/routes.ts';
import type { Account } from '../../src/sandbox/world/account.ts';
import { CannedDispatcher, type CannedResponse } from '../support/canned-dispatcher.ts';

interface Served {
  readonly operation: ServedOperation;
  readonly limit: ReturnType<typeof createRateLimit>;
}

/**
 * Connects the client to the sandbox's operations without a socket: JSON in, JSON out. Calls above the rate limit are
 * rejected as they are over HTTP.
 */
export class WorldDispatcher extends CannedDispatcher {
  readonly #operations: ReadonlyMap<string, Served>;
  readonly #clock: Clock;
  readonly #faults: FaultSwitch | null;

  constructor(account: Account, clock: Clock, faults: FaultSwitch | null = null) {
    super(({ path, body }) => this.#respond(path, String(body ?? 'null')));
    this.#clock = clock;
    this.#faults = faults;
    const operations = operationsOf({ account, clock, credit: new Credit(null), courierRows: [] });
    this.#operations = new Map(
      operations.map((operation) => [
        operation.path,
        { operation, limit: createRateLimit(clock, operation.callsPerSecond) },
      ]),
    );
  }

  #respond(path: string, body: string): CannedResponse {
    const headers = { 'content-type': 'application/json', date: new Date(this.#clock.now()).toUTCString() };
    try {
      const served = this.#operations.get(path);
      if (served === undefined) throw new RefusedCallError(404, 'C0113', 'interface does not exist');
      if (served.limit.admit() > 0) throw new RefusedCallError(429, 'A0706', 'too many requests');
      const requested = JSON.parse(body) as JsonValue;
      const numbers = this.#faults === null ? [] : numbersIn(requested);
      const strikes = this.#faults?.faultsFor(served.operation.name, numbers) ?? [];
      for (const { rule } of strikes) replacements[rule.name]?.({ rule, path, now: this.#clock.now() });
      const data = served.operation.handle(requested);
      let response = { code: '00000', data, msg: 'Success', traceId: 'simulated' } as unknown as JsonObject;
      for (const { corrupt } of strikes) response = corrupt?.(response) ?? response;
      return { status: 200, headers, body: Buffer.from(JSON.stringify(response)) };
    } catch (error) {
      if (!(error instanceof RefusedCallError)) throw error;
      const refusal = { code: error.code, msg: error.message, traceId: 'simulated' };
      return { status: error.httpStatus, headers, body: Buffer.from(JSON.stringify(refusal)) };
    }
  }
}
