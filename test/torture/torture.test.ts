import { describe, expect, it, test } from 'vitest';
import { builtCli } from '../support/built-cli.ts';
import { cuttingStatements, killingClients, killingServer } from './database-measures.ts';
import { losingTheLease } from './losing-the-lease.ts';
import { addingAtOnce, addingBesideAnEditor, killing } from './measures.ts';

const unharmed = { lost: 0, doubled: 0, damaged: 0 };

/** A short round of `npm run torture`. */
describe('the watchlist and its change log lose and double nothing', () => {
  it('when writers are killed at any moment', async () => {
    const measure = await killing(15);
    expect(measure).toMatchObject(unharmed);
    expect(measure['changes']).toBeGreaterThan(0);
  });

  it('when processes write at once', async () => {
    expect(await addingAtOnce(3, 30)).toMatchObject({ ...unharmed, failed: 0 });
  });

  it('when an editor rewrites the file meanwhile', async () => {
    expect(await addingBesideAnEditor(2, 30, 20)).toMatchObject({ ...unharmed, failed: 0 });
  });
});

describe('a watchlist in a database loses and doubles nothing', () => {
  it('when clients are killed at any moment', async () => {
    expect(await killingClients(4)).toMatchObject(unharmed);
  });

  it('when the server is killed', async () => {
    expect(await killingServer(1)).toMatchObject(unharmed);
  });

  it('when a connection breaks before, at or after any statement', async () => {
    const measure = await cuttingStatements(['before', 'after']);
    expect(measure).toMatchObject(unharmed);
    expect(measure['cuts']).toBeGreaterThan(20);
  });
});

test('nothing is asked or registered twice when the host that asks is killed', { timeout: 200_000 }, async () => {
  const told: string[] = [];
  const measure = await losingTheLease({
    cli: builtCli,
    ways: ['killed'],
    // So that its death is seen at once.
    areOwnMachines: false,
    tell: (line) => told.push(line),
  });
  // How long it took is for the long run.
  const { by_two_hosts, registered_twice, too_early } = measure;
  expect({ by_two_hosts, registered_twice, too_early, told }).toEqual({
    ...{ by_two_hosts: 0, registered_twice: 0, too_early: 0 },
    told: expect.any(Array),
  });
  expect(measure['queries']).toBeGreaterThan(30);
});
