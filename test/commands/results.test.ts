import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { publishedSchemas } from '../../src/commands/published-schemas.ts';
import { listWithForecast } from '../board/parcels.ts';
import { realClock } from '../support/real-clock.ts';
import { sandboxUser } from './sandbox-user.ts';

const { connected, user } = sandboxUser();

/** Runs a command with --json, and returns the result of each number. */
async function resultsOf(args: readonly string[], environment = connected()) {
  const { exitCode, stderr, stdout } = await user.run([...args, '--json'], { environment });
  const { results } = v.parse(publishedSchemas.results.schema, JSON.parse(stdout));
  return { exitCode, stderr, results, pairs: results.map(({ result, trackNo }) => [trackNo, result]) };
}

describe('--json', () => {
  it('lists what was added, known, rejected or unusable, with the parcels', async () => {
    const { exitCode, pairs, results, stderr } = await resultsOf(['add', 'RB100000003CN', 'NO NUMBER', '--label', '']);
    expect(pairs).toEqual(expect.arrayContaining([['RB100000003CN', 'registered']]));
    expect(results.find(({ result }) => result === 'left-out')).toMatchObject({ parcel: null });
    expect({ exitCode, stderr }).toEqual({ exitCode: 5, stderr: expect.stringContaining('NO NUMBER') });
    const again = await resultsOf(['add', 'RB100000003CN']);
    expect(again.pairs).toEqual([['RB100000003CN', 'known']]);
    expect(again.results[0]?.parcel).toMatchObject({ trackNo: 'RB100000003CN', state: 'watching' });
  });

  it('lists what a check, an edit and a removal did, and what was not found', async () => {
    await user.run(['add', 'RB100000003CN', 'RB100000048CN'], { environment: connected() });
    const checked = await resultsOf(['refresh', 'RB100000003CN', 'NOPE12345']);
    expect(checked.pairs).toEqual([
      ['NOPE12345', 'not-found'],
      ['RB100000003CN', expect.stringMatching(/^(?:un)?changed$/)],
    ]);
    expect((await resultsOf(['edit', 'RB100000003CN', '--label', 'Lamp'])).results).toMatchObject([
      { result: 'changed', parcel: { label: 'Lamp' } },
    ]);
    expect((await resultsOf(['edit', 'RB100000003CN', '--label', 'Lamp'])).pairs).toEqual([
      ['RB100000003CN', 'unchanged'],
    ]);
    const missing = await resultsOf(['edit', 'NOPE12345', '--label', 'Lamp']);
    expect([missing.exitCode, missing.pairs]).toEqual([5, [['NOPE12345', 'not-found']]]);
    expect((await resultsOf(['edit', 'RB100000003CN', '--archive'])).pairs).toEqual([['RB100000003CN', 'archived']]);
    const removed = await resultsOf(['remove', 'RB100000048CN', 'NOPE12345']);
    expect(removed).toMatchObject({
      exitCode: 5,
      results: [{ result: 'not-found' }, { result: 'removed', parcel: null }],
    });
  });

  it('lists what an import would add, without changing anything', async () => {
    const input = 'number\nRB100000003CN\nRB100000003CN\n';
    const { stdout } = await user.run(['import', '-', '--dry-run', '--json'], { input, environment: connected() });
    const { results } = v.parse(publishedSchemas.results.schema, JSON.parse(stdout));
    expect(results.map(({ message, result }) => [result, message])).toEqual([
      ['new', 'new'],
      ['known', 'twice'],
    ]);
    expect(JSON.parse((await user.run(['list', '--json'])).stdout).parcels).toEqual([]);
  });

  it('prints parcels as list does, with their forecasts', async () => {
    const parcels = listWithForecast(realClock.now());
    const folder = join(user.home, '.local', 'share', 'parcel-monitor');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'watchlist.json'), JSON.stringify({ version: 1, parcels }));
    const { results } = await resultsOf(['edit', 'LAMP1', '--note', 'On the left shelf']);
    const [listed] = JSON.parse((await user.run(['list', '--json'])).stdout).parcels;
    expect(listed.forecast).toMatchObject({ share: 0.9 });
    expect(results[0]?.parcel).toEqual(listed);
  });
});
