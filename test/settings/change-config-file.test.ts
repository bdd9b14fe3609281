import { chmod, mkdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { StoreError } from '../../src/lib/store-errors.ts';
import { changeConfigFile } from '../../src/settings/change-config-file.ts';
import type { SettingChange } from '../../src/settings/config-text.ts';
import { UsageError } from '../../src/settings/errors.ts';
import { createProcesses } from '../../src/store/file/processes.ts';
import { realClock } from '../support/real-clock.ts';
import { createTestFolder } from '../support/test-folder.ts';

const context = {
  clock: realClock,
  random: Math.random,
  processes: createProcesses(process),
  userId: process.geteuid?.() ?? null,
};

async function home(content?: string): Promise<string> {
  const folder = await createTestFolder();
  const path = join(folder, 'parcel-monitor', 'config.json');
  if (content === undefined) return path;
  await mkdir(join(folder, 'parcel-monitor'));
  await writeFile(path, content, { mode: 0o600 });
  return path;
}

const change = (path: string, changes: Readonly<Record<string, unknown>>) =>
  changeConfigFile(
    path,
    Object.entries(changes).map(
      ([name, value]): SettingChange => ({ path: name.split('.') as [string, ...string[]], value }),
    ),
    context,
  );

describe('changing config.json', () => {
  it('creates a file and a folder that only the user can access', async () => {
    const path = await home();
    expect(await change(path, { profile: 'track123' })).toEqual({ isNew: true, isChanged: true });
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ profile: 'track123' });
    if (process.platform === 'win32') return;
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(path, '..'))).mode & 0o777).toBe(0o700);
  });

  it('keeps comments, order and unknown settings', async () => {
    const path = await home('{\n  // mine\n  "zone": "UTC", // for now\n  "later": 1,\n}\n');
    await change(path, { zone: 'Europe/Berlin', 'budget.queriesPerDay': 5 });
    expect(await readFile(path, 'utf8')).toBe(
      '{\n  // mine\n  "zone": "Europe/Berlin", // for now\n  "later": 1,\n  "budget": {\n    "queriesPerDay": 5\n  },\n}\n',
    );
  });

  it('makes a file private if others could read it', async () => {
    const path = await home('{}');
    await chmod(path, 0o644);
    await change(path, { apiKey: 'key' });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('writes nothing if nothing changes', async () => {
    const path = await home('{"zone": "UTC"}');
    const { mtimeNs } = await stat(path, { bigint: true });
    expect(await change(path, { zone: 'UTC', title: undefined })).toMatchObject({ isChanged: false });
    expect((await stat(path, { bigint: true })).mtimeNs).toBe(mtimeNs);
  });

  it('changes the target of a link, not the link', async () => {
    const path = await home('{}');
    const link = join(path, '..', 'link.json');
    await symlink(path, link);
    expect(await change(link, { zone: 'UTC' })).toEqual({ isNew: false, isChanged: true });
    expect(await readlink(link)).toBe(path);
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ zone: 'UTC' });
  });

  it('loses nothing when changes are simultaneous', async () => {
    const path = await home('{}');
    await Promise.all([change(path, { zone: 'UTC' }), change(path, { lang: 'de' }), change(path, { title: false })]);
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ zone: 'UTC', lang: 'de', title: false });
  });

  it.each([
    ['a value of the wrong type', { title: 'yes' }, /"title" must be true or false/],
    ['a value outside the limits', { 'service.timeoutSeconds': 601 }, /"service.timeoutSeconds" must be at most 600/],
    [
      'an unknown setting',
      { 'budget.queriesADay': 5 },
      /"budget.queriesADay" is not known; the closest match is "budget.queriesPerDay"/,
    ],
    ['an address that is not allowed', { baseUrl: 'http://example.com' }, /"baseUrl" cannot be used: /],
    ['a zone that does not exist', { zone: 'Europe/Berlinn' }, /"zone" cannot be used: The zone "Europe\/Berlinn"/],
    ['an unknown deployment', { profile: 'x' }, /"profile" cannot be used: /],
    ['an invalid header name', { 'service.header': 'a b' }, /"service.header" cannot be used: /],
    ['an invalid offset', { 'service.clock': 'noon' }, /"service.clock" cannot be used: /],
    ['a valid and an invalid value', { lang: 'de', title: 1 }, /"title"/],
  ])('refuses a change with %s, and leaves the file unchanged', async (_title, changes, sentence) => {
    const path = await home('{"zone": "UTC"}');
    const attempt = change(path, changes);
    await expect(attempt).rejects.toThrow(UsageError);
    await expect(attempt).rejects.toThrow(sentence);
    expect(await readFile(path, 'utf8')).toBe('{"zone": "UTC"}');
  });

  it('never repeats a secret in an error', async () => {
    const path = await home();
    await expect(change(path, { 'couriers.dhl.postalCode': 'x'.repeat(99) })).rejects.toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('xxx') }),
    );
  });

  it('corrects an invalid setting even if another one is invalid too', async () => {
    const path = await home('{"zone": "Nowhere", "title": 5}');
    await change(path, { zone: 'UTC' });
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ zone: 'UTC', title: 5 });
  });

  it('leaves a file that is not JSON unchanged, and reports the position of the error', async () => {
    const path = await home('{\n  "zone": "UTC"\n  "apiKey": "secret"\n}');
    await expect(change(path, { lang: 'de' })).rejects.toThrow(/config\.json:3:3: .*a comma is missing.*config edit/);
    await expect(change(path, { lang: 'de' })).rejects.toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('secret') }),
    );
    expect(await readFile(path, 'utf8')).toContain('secret');
  });

  it('refuses a path that is not a file', async () => {
    const path = await home('{}');
    await expect(change(join(path, '..'), { lang: 'de' })).rejects.toThrow(StoreError);
  });
});
