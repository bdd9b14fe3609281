import { describe, expect, it } from 'vitest';
import { cuttingStatements, killingClients, killingServer } from './database-measures.ts';
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
