import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { apiKeySource, fetchApiKey } from '../../../src/settings/api-key.ts';
import { UnavailableError } from '../../../src/settings/errors.ts';
import { type KeyPlaceTools, keyPlaces, saveAndReadBack } from '../../../src/settings/setup/key-places.ts';
import { createFindProgram, createStartChild } from '../../../src/system/child-processes.ts';
import { createRunProgram } from '../../../src/system/run-program.ts';
import { realClock } from '../../support/real-clock.ts';
import { createTestFolder } from '../../support/test-folder.ts';
import { createFakePrograms } from './fake-programs.ts';

const key = 'k3y"with\\odd$signs`';
const host = 'api.example.com';

let home: string;
beforeEach(async () => {
  home = await createTestFolder();
});

function toolsOf(path: string, platform = 'linux', more: Readonly<Record<string, string>> = {}): KeyPlaceTools {
  const environment = { PATH: path, HOME: home, ...more };
  const startChild = createStartChild({
    parent: process,
    environment: { ...environment, PATH: `${path}:/usr/bin:/bin` },
    clock: realClock,
  });
  return {
    environment,
    platform,
    configFolder: join(home, 'config'),
    random: Math.random,
    findProgram: createFindProgram({ environment, platform }),
    runProgram: createRunProgram({ startChild, clock: realClock, signal: new AbortController().signal }),
  };
}

const placeOf = (id: string, tools: KeyPlaceTools) => {
  const place = keyPlaces(tools).find((candidate) => candidate.id === id);
  if (place === undefined) throw new Error(`There is no place ${id}.`);
  return place;
};

describe('the places for a key', () => {
  it.each([
    ['secret-tool', 'linux'],
    ['security', 'darwin'],
  ])('include %s, which gets the key on standard input and returns it', async (id, platform) => {
    const programs = await createFakePrograms(home);
    const tools = { ...toolsOf(programs.folder, 'linux'), platform };
    const settings = await saveAndReadBack(placeOf(id, tools), { key, host }, tools);
    expect(settings.apiKeyCommand?.[0]).toBe(join(programs.folder, id));
    expect(await fetchApiKey(apiKeySource({}, settings), tools.runProgram)).toBe(key);
    const calls = await programs.calls();
    expect(calls).toContain(id);
    expect(calls).not.toContain(key);
    expect(calls).not.toContain(Buffer.from(key).toString('hex'));
  });

  it('include a file that only the user can read', async () => {
    const tools = toolsOf('');
    const settings = await saveAndReadBack(placeOf('file', tools), { key, host }, tools);
    expect(settings).toEqual({ apiKeyFile: 'api-key' });
    const path = join(home, 'config', 'api-key');
    expect(await readFile(path, 'utf8')).toBe(`${key}\n`);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('make a key file private when it is written again', async () => {
    await mkdir(join(home, 'config'));
    const path = join(home, 'config', 'api-key');
    await writeFile(path, 'old');
    await chmod(path, 0o644);
    const tools = toolsOf('');
    await saveAndReadBack(placeOf('file', tools), { key, host }, tools);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('depend on the operating system', () => {
    const idsOn = (platform: string) => keyPlaces(toolsOf('', platform)).map(({ id }) => id);
    expect(idsOn('linux')).toEqual(['secret-tool', 'file']);
    expect(idsOn('darwin')).toEqual(['security', 'file']);
    expect(idsOn('win32')).toEqual(['file']);
  });

  it.each([
    ['secret-tool', [], {}, /secret-tool is not installed/],
    ['secret-tool', ['secret-tool'], {}, /DBUS_SESSION_BUS_ADDRESS/],
    ['secret-tool', ['secret-tool'], { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1/bus' }, null],
  ])('report whether %s can be used with %j and %j', async (id, installed, environment, why) => {
    const programs = await createFakePrograms(home, installed);
    const unusable = await placeOf(id, toolsOf(programs.folder, 'linux', environment)).unusable();
    if (why === null) expect(unusable).toBeNull();
    else expect(unusable).toMatch(why);
  });
});

describe('a place that fails', () => {
  const failure = async (id: string, script: string): Promise<UnavailableError> => {
    const programs = await createFakePrograms(home, [id], { [id]: script });
    const tools = toolsOf(programs.folder);
    const error = await saveAndReadBack(placeOf(id, tools), { key, host }, tools).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UnavailableError);
    expect(String(error)).not.toContain(key);
    return error as UnavailableError;
  };

  it('reports the code and advice', async () => {
    const { message } = await failure('secret-tool', 'cat; exit 1');
    expect(message).toMatch(/exited with code 1, so the key was not saved there\. Make sure that a keyring/);
  });

  it('is detected if it returns no key or a different one', async () => {
    expect((await failure('secret-tool', 'exit 0')).message).toMatch(/cannot be read back: .*is empty/);
    expect((await failure('secret-tool', 'echo another')).message).toMatch(/differs from the saved one/);
  });
});
