import { chmod, chown, lchown, mkdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { apiKeySource, fetchApiKey } from '../../src/settings/api-key.ts';
import { readConfigFile } from '../../src/settings/config-file.ts';
import { UsageError } from '../../src/settings/errors.ts';
import { foreignWriter } from '../../src/settings/file-trust.ts';
import { createTestFolder } from '../support/test-folder.ts';

const userId = process.geteuid?.() ?? null;

let directory: string;
beforeEach(async () => {
  directory = await createTestFolder();
});

async function writeConfig(content: unknown, mode: number): Promise<string> {
  const path = join(directory, 'config.json');
  await writeFile(path, JSON.stringify(content));
  await chmod(path, mode);
  return path;
}

describe('reading config.json', () => {
  it('returns no settings if there is no file', async () => {
    expect(await readConfigFile(join(directory, 'none.json'), false, userId)).toEqual({
      settings: {},
      warnings: [],
      found: false,
      foreignWriter: null,
      trustIssues: [],
    });
  });

  it('fails if a requested file is missing', async () => {
    await expect(readConfigFile(join(directory, 'none.json'), true, userId)).rejects.toThrow(UsageError);
  });

  it('fails if it is a folder', async () => {
    await expect(readConfigFile(directory, false, userId)).rejects.toThrow(
      /is a folder, not a file\. Move it somewhere else/,
    );
  });

  it('accepts comments and trailing commas', async () => {
    const path = join(directory, 'config.json');
    await writeFile(
      path,
      '\ufeff// mine\n{\n  "zone": "UTC", // of the clock\n  "notify": {"channels": ["bell",],},\n}\n',
    );
    const { settings, warnings } = await readConfigFile(path, false, userId);
    expect({ settings, warnings }).toEqual({
      settings: { zone: 'UTC', notify: { channels: ['bell'] } },
      warnings: [],
    });
  });

  it.each([
    ['{\n  "apiKey": "secret",\n  zone: "UTC"\n}', /config\.json:3:3: the content is not valid JSON/],
    ['{"apiKey": "secret"} {}', /:1:22: .*there is text after the end/],
    ['', /:1:1: /],
    ['['.repeat(200_000), /nested too deeply/],
  ])('reports the position of a JSON error without quoting the text (%#)', async (content, sentence) => {
    const path = join(directory, 'config.json');
    await writeFile(path, content);
    const failure = await readConfigFile(path, false, userId).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UsageError);
    expect(String(failure)).toMatch(sentence);
    expect(String(failure)).not.toContain('secret');
  });

  describe.runIf(userId !== null)('if other users can access it', () => {
    const trustIssuesOf = async (path: string, user = userId) =>
      (await readConfigFile(path, false, user)).trustIssues.map(({ found, advice }) => `${found} ${advice}`);

    it('reports that they can read the key in it', async () => {
      expect(await trustIssuesOf(await writeConfig({ apiKey: 'k' }, 0o644))).toEqual([
        expect.stringMatching(/Other users can read .*config\.json .*Run: chmod 600 /),
      ]);
    });

    it('reports nothing if the file is private or has no key', async () => {
      expect(await trustIssuesOf(await writeConfig({ apiKey: 'k' }, 0o600))).toEqual([]);
      expect(await trustIssuesOf(await writeConfig({ zone: 'UTC' }, 0o644))).toEqual([]);
    });

    it('reports that they can write it, with or without a key', async () => {
      const path = await writeConfig({ zone: 'UTC' }, 0o602);
      expect(await trustIssuesOf(path)).toEqual([
        expect.stringMatching(/Other users can write .*config\.json.*chmod go-w /),
      ]);
    });

    it("reports nothing if only the user's own group can write it", async () => {
      const path = await writeConfig({ zone: 'UTC' }, 0o660);
      const { uid, gid } = await stat(path);
      expect(await trustIssuesOf(path)).toHaveLength(uid === gid ? 0 : 1);
    });

    it('reports that they can replace it', async () => {
      const path = await writeConfig({ zone: 'UTC' }, 0o600);
      await chmod(directory, 0o777);
      expect(await trustIssuesOf(path)).toEqual([
        expect.stringContaining(`Other users can write ${directory} and so change`),
      ]);
      // In such a folder (like /tmp), only a file's owner may remove it.
      await chmod(directory, 0o1777);
      expect(await trustIssuesOf(path)).toEqual([]);
    });

    it('reports that they can replace a folder above it, or the link that points to it', async () => {
      const open = join(directory, 'open');
      const home = join(open, 'home');
      await mkdir(home, { recursive: true });
      await writeFile(join(home, 'config.json'), '{}', { mode: 0o600 });
      const path = await writeConfig({}, 0o600);
      await symlink(path, join(home, 'link.json'));
      await chmod(open, 0o777);
      expect(await trustIssuesOf(join(home, 'config.json'))).toEqual([
        expect.stringContaining(`can write ${open} and`),
      ]);
      expect(await trustIssuesOf(join(home, 'link.json'))).toEqual([expect.stringContaining(`can write ${open} and`)]);
      expect(await trustIssuesOf(path)).toEqual([]);
    });

    it('reports a folder above it that belongs to neither the user nor root', async ({ skip }) => {
      if (userId !== 0) return skip('only root can give a folder away');
      const path = join(directory, 'theirs', 'mine', 'config.json');
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, '{}', { mode: 0o600 });
      await chown(join(directory, 'theirs'), 4242, 4242);
      expect(await trustIssuesOf(path)).toEqual([
        expect.stringContaining(`${join(directory, 'theirs')} belongs to another user (user id 4242)`),
      ]);
      await chown(join(directory, 'theirs'), 65_534, 65_534);
      expect(await trustIssuesOf(path)).toEqual([]);
    });

    it('reports a link on its path that they own or can replace', async ({ skip }) => {
      const mine = join(directory, 'mine');
      const shared = join(directory, 'shared');
      await mkdir(join(mine, 'real'), { recursive: true });
      await mkdir(shared);
      await writeFile(join(mine, 'real', 'config.json'), '{}', { mode: 0o600 });
      await symlink(join(mine, 'real'), join(shared, 'middle'));
      await symlink(join('..', 'shared', 'middle'), join(mine, 'first'));
      const path = join(mine, 'first', 'config.json');
      expect(await trustIssuesOf(path)).toEqual([]);
      await chmod(shared, 0o777);
      expect(await trustIssuesOf(path)).toEqual([expect.stringContaining(`Other users can write ${shared} and`)]);
      await chmod(shared, 0o1777);
      expect(await trustIssuesOf(path)).toEqual([]);
      if (userId !== 0) return skip('only root can give a link away');
      await lchown(join(shared, 'middle'), 4242, 4242);
      expect(await trustIssuesOf(path)).toEqual([
        expect.stringMatching(/shared\/middle belongs to another user .*sudo chown -h 0 .*shared\/middle$/),
      ]);
      // In a container, this user stands for root outside of it.
      await lchown(join(shared, 'middle'), 65_534, 65_534);
      expect(await trustIssuesOf(path)).toEqual([]);
      await symlink(join(mine, 'real', 'config.json'), join(mine, 'link.json'));
      await lchown(join(mine, 'link.json'), 65_534, 65_534);
      expect(await trustIssuesOf(join(mine, 'link.json'))).toHaveLength(1);
    });

    it.each([
      ['nothing', async () => undefined],
      ['a folder', async (path: string) => void (await mkdir(path))],
      ["the user's own file", async (path: string) => await writeFile(path, '{}', { mode: 0o600 })],
    ])(
      'reports a file that was theirs when it was read, even if the path now points to %s',
      async (_what, exchange) => {
        const path = await writeConfig({}, 0o622);
        const opened = await stat(path);
        await rm(path);
        await exchange(path);
        expect(await foreignWriter(path, opened.uid, opened)).toMatchObject({ advice: expect.stringContaining(path) });
        // The file is the user's own, but not its folder.
        await chmod(directory, 0o777);
        const trustIssue = await foreignWriter(path, opened.uid, Object.assign(opened, { mode: 0o100600 }));
        expect(trustIssue).toMatchObject({ found: expect.stringContaining(`Other users can write ${directory} and`) });
      },
    );

    it('reports a file that belongs to neither the user nor root', async () => {
      const path = await writeConfig({}, 0o600);
      if (userId === 0) await chown(path, 4242, 4242);
      const { uid } = await stat(path);
      // Root may change a file's owner. Other users test with a different user ID.
      const issues = await trustIssuesOf(path, userId === 0 ? 0 : uid + 1);
      expect(issues).toEqual([expect.stringContaining(`belongs to another user (user id ${uid})`)]);
    });
  });
});

describe('a key command from a file that others can write', () => {
  const command = { apiKeyCommand: ['/bin/echo', 'key'] };
  const trustIssue = {
    found: 'Other users can write /c/config.json.',
    advice: 'Run: chmod go-w /c/config.json',
    command: 'chmod go-w /c/config.json',
  };
  const run = async () => 'the-key';

  it('is not run, and the error says what to do', async () => {
    const source = apiKeySource({}, command, { foreignWriter: trustIssue });
    await expect(fetchApiKey(source, run)).rejects.toThrow(UsageError);
    await expect(fetchApiKey(source, run)).rejects.toThrow(/"apiKeyCommand" is not run .*chmod go-w/);
  });

  it('is ignored if the key is set elsewhere', async () => {
    expect(
      await fetchApiKey(apiKeySource({ PARCEL_MONITOR_API_KEY: 'mine' }, command, { foreignWriter: trustIssue }), run),
    ).toBe('mine');
    expect(await fetchApiKey(apiKeySource({}, command), run)).toBe('the-key');
  });
});
