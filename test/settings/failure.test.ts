import { describe, expect, it } from 'vitest';
import { StoreError } from '../../src/lib/store-errors.ts';
import {
  BadResponseError,
  CancelledError,
  KeyRefusedError,
  OperationMissingError,
  QuotaExhaustedError,
  RateLimitedError,
  ServiceTimeoutError,
  ServiceTroubleError,
  UnreachableError,
} from '../../src/service/port.ts';
import {
  ApiKeyMissingError,
  describeFailure,
  NotWatchedError,
  UnavailableError,
  UsageError,
} from '../../src/settings/errors.ts';
import { worseExit } from '../../src/system/exit.ts';

describe('a failure', () => {
  it('comes from the command even if its clean-up also fails', async () => {
    const command = async (): Promise<void> => {
      await using core = { [Symbol.asyncDispose]: () => Promise.reject(new StoreError('disk-full', 'x', '/p')) };
      throw new UnreachableError(`y ${typeof core}`);
    };
    const failure: unknown = await command().catch((error: unknown) => error);
    expect(describeFailure(failure)).toEqual({ message: 'x', exitCode: 1 });
  });

  it.each<[Error, number]>([
    [new UsageError('x'), 2],
    [new ApiKeyMissingError('x'), 3],
    [new KeyRefusedError('x'), 3],
    [new QuotaExhaustedError('x'), 3],
    [new RateLimitedError('x'), 3],
    [new UnreachableError('x'), 4],
    [new ServiceTimeoutError('x'), 4],
    [new ServiceTroubleError('x'), 4],
    [new BadResponseError('x'), 4],
    [new NotWatchedError('x'), 5],
    [new OperationMissingError('x'), 1],
    [new StoreError('read-only', 'x', '/p'), 1],
    [new UnavailableError('x'), 1],
    [new CancelledError('x'), 130],
  ])('becomes a sentence and an exit code: %s', (error, exitCode) => {
    const failure = describeFailure(error);
    expect(failure.exitCode).toBe(exitCode);
    // It makes sense to try again after a temporary failure. Only a board and `watch` do so automatically.
    const advice = exitCode === 4 ? / Try again a little later; .*"parcel-monitor watch" retries automatically/ : /^$/;
    expect(failure.message.slice(0, 1)).toBe('x');
    expect(failure.message.slice(1)).toMatch(advice);
  });

  it('contains the request ID for the service', () => {
    const error = new KeyRefusedError('The key was refused.', { traceId: 'abc123' });
    expect(describeFailure(error).message).toBe('The key was refused. (traceId abc123)');
  });

  it('contains a stack only for a bug', () => {
    const { message, exitCode } = describeFailure(new TypeError('x is not a function'));
    expect(message).toMatch(/bug in parcel-monitor/);
    expect(message).toMatch(/failure\.test/);
    expect(exitCode).toBe(1);
  });
});

it('an exit code for a failure of everything is worse than one for individual numbers', () => {
  expect(worseExit(5, 3)).toBe(3);
  expect(worseExit(4, 5)).toBe(4);
  expect(worseExit(0, 5)).toBe(5);
  expect(worseExit(0, 0)).toBe(0);
});
