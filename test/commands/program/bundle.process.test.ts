import { execFile } from 'node:child_process';
import { access, constants, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { build, type Metafile } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { programBundle } from '../../../.config/bundle.ts';
import { noticeOf } from '../../../.config/notices.ts';
import { nodeVersionProblem } from '../../../src/system/environment.ts';
import { builtCli } from '../../support/built-cli.ts';
import { createTestFolder } from '../../support/test-folder.ts';

const screenPackages = /node_modules\/(?:ink|react|react-reconciler|yoga-layout|ink-text-input|ink-table|@alcalzone)\//;
const httpPackages = /node_modules\/(?:undici|hono|@hono)\//;

let metafile: Metafile;
beforeAll(async () => {
  ({ metafile } = await build({ ...programBundle, outdir: 'dist', write: false }));
});

/** Returns the source files in a chunk and in all chunks that it loads immediately. */
function loadedWith(entryPoint: string): readonly string[] {
  const outputs = Object.entries(metafile.outputs);
  const start = outputs.find(([, output]) => output.entryPoint === entryPoint)?.[0];
  const visited = new Set<string>();
  const follow = (path: string | undefined): void => {
    const output = path === undefined ? undefined : metafile.outputs[path];
    if (path === undefined || output === undefined || visited.has(path)) return;
    visited.add(path);
    for (const { path: next, kind } of output.imports) if (kind === 'import-statement') follow(next);
  };
  follow(start);
  return [...visited].flatMap((path) => Object.keys(metafile.outputs[path]?.inputs ?? {}));
}

describe('loaded code', () => {
  it.each([
    'src/main.ts',
    'src/commands/list.ts',
    'src/commands/show.ts',
    'src/commands/add.ts',
    'src/commands/edit.ts',
    'src/commands/export.ts',
  ])('%s loads neither the screen nor the network', (entryPoint) => {
    const files = loadedWith(entryPoint);
    expect(files).toContain(entryPoint);
    expect(files.filter((file) => screenPackages.test(file) || httpPackages.test(file))).toEqual([]);
  });

  it('the status line loads only what it needs', () => {
    for (const entryPoint of ['src/main.ts', 'src/commands/status.ts']) {
      const packages = loadedWith(entryPoint).filter((file) => file.includes('node_modules/'));
      expect(packages.filter((file) => !/^node_modules\/(?:commander|date-fns-tz)\//.test(file))).toEqual([]);
    }
  });

  it('the command table does not load any commands', () => {
    // The help needs only two lists of names that belong to commands.
    const ownFiles = /^src\/commands\/(?:program\/|export-format|parcel-columns)/;
    const commands = loadedWith('src/main.ts').filter((file) => file.startsWith('src/commands/'));
    expect(commands.filter((file) => !ownFiles.test(file))).toEqual([]);
  });

  it('only the board loads the screen', () => {
    const hasScreen = (entryPoint: string) => loadedWith(entryPoint).some((file) => screenPackages.test(file));
    const entryPoints = Object.values(metafile.outputs).flatMap(({ entryPoint }) => entryPoint ?? []);
    expect(entryPoints.filter((entryPoint) => /^src\/(?!tui\/)/.test(entryPoint) && hasScreen(entryPoint))).toEqual([
      'src/main-screen.ts',
    ]);
  });
});

describe('the built program', () => {
  it('can be run directly', async () => {
    await access(builtCli, constants.X_OK);
    expect(await readFile(builtCli, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  it('has a launcher that loads nothing before it checks the Node version', async () => {
    expect(await readFile(builtCli, 'utf8')).not.toMatch(/^\s*import[\s{*"']/m);
  });

  it('contains the licences of the bundled packages', async () => {
    const notices = await readFile(join(dirname(builtCli), 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    for (const name of [
      'ink',
      'react',
      'undici',
      'commander',
      'lowdb',
      'date-fns',
      'valibot',
      'hono',
      'csv-stringify',
      'ical-generator',
    ]) {
      expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(MIT\\)$`, 'm'));
    }
  });

  it('contains each licence text, even for packages without one', async () => {
    const notices = await readFile(join(dirname(builtCli), 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    const texts = notices.split(`\n${'-'.repeat(80)}\n`).slice(1);
    expect(texts.filter((text) => !/Copyright/i.test(text) || text.length < 500).map((text) => text.trim())).toEqual(
      [],
    );
  });

  it('is not built if a package lacks a known licence', async () => {
    const folder = await createTestFolder();
    await writeFile(join(folder, 'package.json'), '{"name":"x","version":"1.0.0","license":"MIT"}');
    await writeFile(join(folder, 'README.md'), '# x\n\n## License\n\nMIT\n');
    await expect(noticeOf(folder)).rejects.toThrow('x 1.0.0 (MIT) has no licence text');
  });

  it('prints one sentence on an old version of Node', async ({ skip }) => {
    const run = promisify(execFile);
    const oldNode = '/usr/bin/node';
    const version = await run(oldNode, ['--version']).then(
      ({ stdout }) => stdout.trim().slice(1),
      () => null,
    );
    if (version === null || nodeVersionProblem(version) === null) return skip('no outdated Node is installed');
    const failed = await run(oldNode, [builtCli, 'list']).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 1, stdout: '', stderr: `${nodeVersionProblem(version)}\n` });
  });
});
