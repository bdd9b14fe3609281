import { expect, it } from 'vitest';
import { Credit } from '../../src/sandbox/http/answers.ts';
import { registerTrackings } from '../../src/sandbox/http/operations.ts';
import { queryTrackings } from '../../src/sandbox/http/query-trackings.ts';
import { startWebhookSender } from '../../src/sandbox/webhook.ts';
import type { Account } from '../../src/sandbox/world/account.ts';
import { noon, testAccount, upsNumber } from './support.ts';

const later = noon + 60_000;

/** An account with this many numbers, registered in batches like a client would. */
function accountOf(size: number): Account {
  const account = testAccount();
  const credit = new Credit(null);
  for (let start = 0; start < size; start += 100) {
    const items = Array.from({ length: 100 }, (_, index) => ({ trackNo: upsNumber(start + index), orderNo: 'same' }));
    registerTrackings(account, credit, items, noon);
  }
  return account;
}

it('returns 100 of 5,000 numbers without listing the others, and lists all of them page by page', () => {
  const large = accountOf(5_000);
  expect(large.size).toBe(5_000);
  const withoutListing = {
    ...large,
    all: () => {
      throw new Error('100 numbers need no list of all.');
    },
  };
  const trackNoInfos = Array.from({ length: 100 }, (_none, index) => ({ trackNo: upsNumber(index * 50) }));
  const { accepted: named } = queryTrackings(withoutListing, { trackNoInfos }, later);
  expect(named.content).toHaveLength(100);

  const seen = new Set<string>();
  for (let page = 1; page <= 50; page += 10) {
    const { accepted } = queryTrackings(large, { cursor: String(page), queryPageSize: 100 }, later);
    expect(accepted.totalPages).toBe('50');
    for (const { trackNo } of accepted.content) seen.add(trackNo);
  }
  expect(seen.size).toBe(500);
  // The list of all numbers is created once, not for every page.
  expect(large.all()).toBe(large.all());
});

it('does not read any of 5,000 numbers before its record changes', () => {
  const account = testAccount(7, 1);
  const credit = new Credit(null);
  let timers = 0;
  const clock = {
    now: () => noon,
    setTimer: () => {
      timers += 1;
      return () => undefined;
    },
  };
  const sender = startWebhookSender({
    account,
    clock,
    signing: { apiKey: 'k', signature: 'hmac' },
    speed: 1,
    post: () => Promise.resolve(true),
  });
  for (let start = 0; start < 5_000; start += 100) {
    const items = Array.from({ length: 100 }, (_, index) => ({ trackNo: upsNumber(start + index) }));
    registerTrackings(account, credit, items, noon);
  }
  // One timer, set again only if an earlier change is added: at most once for every instant with a change.
  expect(timers).toBeLessThan(10);
  expect(sender.counts().attempts).toBe(0);
  sender.close();
});
