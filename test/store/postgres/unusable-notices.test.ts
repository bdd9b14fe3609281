import { expect, test } from 'vitest';
import { UnusableNotices } from '../../../src/store/postgres/postgres-store.ts';

test('a few rows that cannot be used are named one by one, each once', () => {
  const rows = new UnusableNotices('postgres://nas/parcels');
  for (const row of ['The parcel a', 'The history b', 'The parcel a']) rows.add(row);
  expect(rows.takeNotices()).toEqual([
    expect.stringMatching(
      /^The parcel a in postgres:\/\/nas\/parcels cannot be used: .* "parcel-monitor store mend" moves it aside\.$/,
    ),
    expect.stringMatching(/^The history b in /),
  ]);
  rows.add('The parcel a');
  expect(rows.takeNotices()).toEqual([]);
});

test('of many there is one sentence, however long the list', () => {
  const rows = new UnusableNotices('postgres://nas/parcels');
  for (let row = 0; row < 100_000; row += 1) rows.add(`The parcel ${row}`);
  expect(rows.takeNotices()).toEqual([
    expect.stringMatching(/^The parcel 0, The parcel 1, The parcel 2 and 99,997 more in .* moves them aside\.$/),
  ]);
});
