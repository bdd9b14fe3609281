import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiKeySource, fetchApiKey } from '../../../src/settings/api-key.ts';
import { KeyPlaceError, type KeyPlaceTools } from '../../../src/settings/setup/key-place.ts';
import { keepAndReadBack, keyPlaces } from '../../../src/settings/setup/key-places.ts';
import { createFindProgram, createStartChild } from '../../../src/system/child-processes.ts';
import { createRunProgram } from '../../../src/system/run-program.ts';
import { realClock } from '../../support/real-clock.ts';
import { fakePrograms } from './fake-programs.ts';

const key = 'k3y"with\\odd$signs`';
const host = 'api.example.com';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'parcel-monitor-places-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

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
    homeDirectory: home,
    configFolder: join(home, 'config'),
    random: Math.random,
    findProgram: createFindProgram({ environment, platform }),
    runProgram: createRunProgram({ startChild, clock: realClock, signal: new AbortController().signal }),
  };
}

const placeOf = (id: string, tools: KeyPlaceTools) => {
  const place = keyPlaces(tools).find((one) => one.id === id);
  if (place === undefined) throw new Error(`There is no place ${id}.`);
  return place;
};

describe('the places for a key', () => {
  it.each([
    ['secret-tool', 'linux'],
    ['security', 'darwin'],
    ['pass', 'linux'],
    ['op', 'linux'],
    ['bw', 'win32'],
  ])('include %s, which gets the key on its standard input and gives it back', async (id, platform) => {
    const programs = await fakePrograms(home);
    // Of Windows only the choice of places differs here: programs are looked for and run as on this machine.
    const tools = { ...toolsOf(programs.folder, 'linux'), platform };
    // The hexadecimal and the JSON of the stand-ins are read with sed.
    const plain = id === 'op' || id === 'bw' ? 'k3y-with$signs`' : key;
    const settings = await keepAndReadBack(placeOf(id, tools), { key: plain, host }, tools);
    expect(settings.apiKeyCommand?.[0]).toBe(join(programs.folder, id));
    expect(await fetchApiKey(apiKeySource({}, settings), tools.runProgram)).toBe(plain);
    const calls = await programs.calls();
    expect(calls).toContain(id);
    expect(calls).not.toContain(plain);
    expect(calls).not.toContain(Buffer.from(plain).toString('hex'));
    expect(calls).not.toContain(Buffer.from(plain).toString('base64').slice(4, 12));
  });

  it.each([
    ['op', 'item create', 'item edit item1'],
    ['bw', 'create item', 'edit item 0b9f-17'],
  ])(
    'take another key into the item of %s that is there, with all else that stands in it',
    async (id, make, change) => {
      const programs = await fakePrograms(home);
      const tools = toolsOf(programs.folder);
      const first = await keepAndReadBack(placeOf(id, tools), { key: 'first-key', host }, tools);
      const second = await keepAndReadBack(placeOf(id, tools), { key: 'second-key', host }, tools);
      expect(second).toEqual(first);
      const calls = await programs.calls();
      expect(calls.split(make)).toHaveLength(2);
      expect(calls).toContain(change);
      expect(calls).not.toContain('-key');
      if (id === 'bw') expect(await readFile(join(home, 'kept-by-bw.given'), 'utf8')).toContain('"notes":"mine"');
    },
  );

  it.each([
    [
      'op',
      'item create',
      `"item list") echo '[{"id":"a1","title":"another"},7,{"title":"parcel-monitor (api.example.com)"}]' ;;`,
    ],
    [
      'op',
      'item create',
      `"item list") echo '[{"id":"a1","title":"parcel-monitor (api.example.com)","vault":{"id":"v1","name":"Team"}}]' ;;`,
    ],
    [
      'op',
      'item create',
      `"item list") echo '[{"id":"a1","title":"parcel-monitor (api.example.com)","vault":{"id":"v1","name":"Private"}}]' ;;\n"item get") exit 1 ;;`,
    ],
    ['op', 'item create', '"item list") echo nonsense ;;'],
  ])('make an item of %s by %s when it lists none that is personal, or cannot change it', async (id, make, list) => {
    const script = `case "$1 $2" in "account list") echo '[{}]' ;; ${list}
      "item create") sed 's/.*"value":"\\([^"]*\\)".*/\\1/' > "$STORE"; echo '{"id":"item1","vault":{"id":"vault1"}}' ;;
      "read --no-newline") cat "$STORE" ;; esac`;
    const programs = await fakePrograms(home, [id], { [id]: script });
    const tools = toolsOf(programs.folder);
    await keepAndReadBack(placeOf(id, tools), { key: 'first-key', host }, tools);
    expect(await programs.calls()).toContain(make);
  });

  it('include a file of its own that nobody else can read', async () => {
    const tools = toolsOf('');
    const settings = await keepAndReadBack(placeOf('file', tools), { key, host }, tools);
    expect(settings).toEqual({ apiKeyFile: 'api-key' });
    const path = join(home, 'config', 'api-key');
    expect(await readFile(path, 'utf8')).toBe(`${key}\n`);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('close a key file that was open to others when it is written again', async () => {
    await mkdir(join(home, 'config'));
    const path = join(home, 'config', 'api-key');
    await writeFile(path, 'old');
    await chmod(path, 0o644);
    const tools = toolsOf('');
    await keepAndReadBack(placeOf('file', tools), { key, host }, tools);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('are those that the system can have', () => {
    const idsOn = (platform: string) => keyPlaces(toolsOf('', platform)).map(({ id }) => id);
    expect(idsOn('linux')).toEqual(['secret-tool', 'file', 'pass', 'op', 'bw']);
    expect(idsOn('darwin')).toEqual(['security', 'file', 'pass', 'op', 'bw']);
    expect(idsOn('win32')).toEqual(['file', 'op', 'bw']);
  });

  it.each([
    ['secret-tool', [], {}, /secret-tool is not installed/],
    ['secret-tool', ['secret-tool'], {}, /DBUS_SESSION_BUS_ADDRESS/],
    ['secret-tool', ['secret-tool'], { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1/bus' }, null],
    ['pass', [], {}, /pass is not installed/],
    ['pass', ['pass'], {}, /pass init/],
    ['op', ['op'], {}, null],
    ['op', ['op'], { OP_SERVICE_ACCOUNT_TOKEN: 'ops_x' }, /op read/],
    ['bw', ['bw'], {}, /bw unlock/],
    ['bw', ['bw'], { BW_SESSION: 'x' }, null],
  ])('say of %s, with %j and %j, whether it can be used', async (id, installed, environment, why) => {
    const programs = await fakePrograms(home, installed);
    const unusable = await placeOf(id, toolsOf(programs.folder, 'linux', environment)).unusable();
    if (why === null) expect(unusable).toBeNull();
    else expect(unusable).toMatch(why);
  });

  it('know pass as soon as it has a store', async () => {
    const programs = await fakePrograms(home, ['pass']);
    await mkdir(join(home, '.password-store'));
    await writeFile(join(home, '.password-store', '.gpg-id'), 'ABC');
    expect(await placeOf('pass', toolsOf(programs.folder)).unusable()).toBeNull();
  });
});

describe('a place that fails', () => {
  const failure = async (id: string, script: string): Promise<KeyPlaceError> => {
    const programs = await fakePrograms(home, [id], { [id]: script });
    const tools = toolsOf(programs.folder);
    const error = await keepAndReadBack(placeOf(id, tools), { key, host }, tools).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(KeyPlaceError);
    expect(String(error)).not.toContain(key);
    return error as KeyPlaceError;
  };

  it('says with which code, and what to do', async () => {
    const { message } = await failure('secret-tool', 'cat; exit 1');
    expect(message).toMatch(/ended with code 1, and the key is not stored there\. See that a keyring/);
  });

  it('is found out when it gives back nothing, or something else', async () => {
    expect((await failure('secret-tool', 'exit 0')).message).toMatch(/cannot be read back: .*is empty/);
    expect((await failure('pass', 'echo another')).message).toMatch(/another key than the one that was stored/);
  });

  it('is not handed the key where it would take that for an answer', async () => {
    const { message } = await failure('op', `case "$1" in account) echo '[]' ;; *) cat > "$STORE" ;; esac`);
    expect(message).toMatch(/knows no account/);
    await expect(stat(join(home, 'kept-by-op'))).rejects.toThrow(/ENOENT/);
  });

  it('names what to look for when it does not say where the key is', async () => {
    expect((await failure('op', `case "$1" in account) echo '[{}]' ;; *) echo thanks ;; esac`)).message).toMatch(
      /Look for "parcel-monitor \(api\.example\.com\)"/,
    );
  });
});
