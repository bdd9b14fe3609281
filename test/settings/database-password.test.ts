import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseStoreAddress } from '../../src/settings/store-address.ts';
import { chooseStore, type DatabaseChoice, databasePassword, passwordIn } from '../../src/settings/store-choice.ts';
import { ProgramFailedError } from '../../src/system/run-program.ts';
import { createTestFolder } from '../support/test-folder.ts';

const choiceOf = (environment: Readonly<Record<string, string>>, file: object = {}): DatabaseChoice => {
  const choice = chooseStore({
    options: { store: 'postgres://ann@nas/parcels' },
    environment,
    file,
  });
  if (choice.kind !== 'database') throw new Error('no database');
  return choice;
};
const mustNotRun = async (): Promise<string> => {
  throw new Error('no program may run');
};

describe("a database's password", () => {
  it('comes from the environment, or from a command if it is not there', async () => {
    const file = { storePasswordCommand: ['print-it'] };
    const notices: string[] = [];
    const given = databasePassword(
      choiceOf({ PGPASSWORD: ' from the environment' }, file),
      { platform: 'linux', runProgram: mustNotRun },
      (notice) => notices.push(notice),
    );
    expect(await given()).toBe(' from the environment');
    const printed = databasePassword(
      choiceOf({ HOME: '/nowhere' }, file),
      { platform: 'linux', runProgram: async (program) => `${program} \n` },
      (notice) => notices.push(notice),
    );
    expect(await printed()).toBe('print-it ');
    expect(notices).toEqual([]);
  });

  it('is reused if its command fails for lack of a terminal, while any other failure is an error', async () => {
    let isFirst = true;
    const password = databasePassword(
      choiceOf({}, { storePasswordCommand: 'print it' }),
      {
        platform: 'linux',
        runProgram: async () => {
          if (!isFirst) throw new ProgramFailedError('print', 'exited with code 1', 'failed', false);
          isFirst = false;
          return 'once';
        },
      },
      () => undefined,
    );
    expect(await password()).toBe('once');
    expect(await password()).toBe('once');
    const failing = databasePassword(
      choiceOf({}, { storePasswordCommand: 'print it' }),
      {
        platform: 'linux',
        runProgram: async () => {
          throw new ProgramFailedError('print', 'exited with code 1');
        },
      },
      () => undefined,
    );
    await expect(failing()).rejects.toThrow('postgres://ann@nas/parcels exited with code 1');
  });

  it('is not read from a passfile that others can read, and causes one warning', async () => {
    const folder = await createTestFolder();
    const PGPASSFILE = join(folder, 'passfile');
    await writeFile(PGPASSFILE, 'nas:5432:parcels:ann:secret\n', { mode: 0o600 });
    const notices: string[] = [];
    const password = databasePassword(
      choiceOf({ PGPASSFILE }),
      { platform: 'linux', runProgram: mustNotRun },
      (notice) => notices.push(notice),
    );
    expect(await password()).toBe('secret');
    await chmod(PGPASSFILE, 0o644);
    expect([await password(), await password()]).toEqual([null, null]);
    expect(notices).toEqual([
      `The passfile ${PGPASSFILE} is ignored, because other users can read it; run: chmod 600 ${PGPASSFILE}`,
    ]);
  });

  it.each([
    ['nas:5432:parcels:ann:secret', 'secret'],
    ['# nas:5432:parcels:ann:no\n*:*:*:*:any', 'any'],
    ['nas:5432:parcels:bob:no\nnas:*:parcels:ann:yes\n*:*:*:*:later', 'yes'],
    ['nas:5432:parcels:ann:with\\:colon\\\\and:more', 'with:colon\\and:more'],
    ['other:5432:parcels:ann:no', null],
    ['nas:5433:parcels:ann:no', null],
    ['nas:5432', null],
    ['', null],
  ])('is found in a passfile: %j', (text, password) => {
    expect(passwordIn(text, parseStoreAddress('postgres://ann@nas/parcels'))).toBe(password);
  });

  it('is that of localhost if the socket is in a standard folder', () => {
    const text = 'localhost:*:*:*:secret';
    expect(passwordIn(text, parseStoreAddress('postgres://ann@/p?host=/run/postgresql'))).toBe('secret');
    expect(passwordIn(text, parseStoreAddress('postgres://ann@/p?host=/elsewhere'))).toBeNull();
  });
});
