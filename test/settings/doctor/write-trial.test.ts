import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { trialPath, tryToWrite } from '../../../src/settings/doctor/store-checks.ts';
import { realClock } from '../../support/real-clock.ts';

const context = { clock: realClock, random: Math.random };
const hourMs = 60 * 60_000;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trial-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** What a trial leaves that is killed, so long ago. */
async function leave(name: string, ageMs: number): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, 'trial');
  const then = new Date(Date.now() - ageMs);
  await utimes(path, then, then);
  return name;
}

const trialName = (): string => basename(trialPath(folder, Math.random));

describe('a trial whether a folder can be written', () => {
  it('leaves nothing behind', async () => {
    await tryToWrite(folder, context);
    expect(await readdir(folder)).toEqual([]);
  });

  it('throws what the system throws', async () => {
    await expect(tryToWrite(join(folder, 'none'), context)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('removes what killed trials left, but neither those under way nor what is not its own', async () => {
    await leave(trialName(), 2 * hourMs);
    const kept = [
      await leave(trialName(), hourMs / 2),
      await leave('.others.0abc1def0abc1def.tmp', 2 * hourMs),
      await leave('notes', 2 * hourMs),
    ];
    await tryToWrite(folder, context);
    expect((await readdir(folder)).toSorted()).toEqual(kept.toSorted());
  });

  it('removes no folder with any name', async () => {
    const name = trialName();
    await mkdir(join(folder, name));
    await utimes(join(folder, name), 0, 0);
    await tryToWrite(folder, context);
    expect(await readdir(folder)).toEqual([name]);
  });
});
