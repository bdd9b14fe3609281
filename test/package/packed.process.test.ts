import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { root } from '../../.config/bundle.ts';
import { type PackedTarball, tarballProblems } from '../../.config/release/checks.ts';

test('the build produces exactly the files of a release', async () => {
  // Without the prepack script: `npm test` has already built the program.
  const options = ['pack', '--dry-run', '--json', '--silent', '--ignore-scripts'];
  const { stdout } = await promisify(execFile)('npm', options, { cwd: root, shell: process.platform === 'win32' });
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('['))) as readonly [PackedTarball];
  expect(packed.files.map(({ path }) => path)).toContain('dist/main.js');
  // npm reports executable files only for a tarball that it writes.
  expect(tarballProblems(packed)).toEqual([]);
});
