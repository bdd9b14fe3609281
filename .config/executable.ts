/**
 * Writes Node and the program as one file, `release/parcel-monitor`, for this platform. Downloads Node 26,
 * because older versions only support CommonJS in an executable, and Ink uses top-level await.
 */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build, type Plugin } from 'esbuild';
import { programBundle, root } from './bundle.ts';

/** Puts launcher and program into one file. */
const programInside: Plugin = {
  name: 'program-inside',
  setup: (hooks) => hooks.onResolve({ filter: /^\.\/main\.js$/ }, () => ({ path: join(root, 'src', 'main.ts') })),
};

const workshop = join(root, 'node_modules', '.cache', 'parcel-monitor', 'executable');
const isWindows = process.platform === 'win32';
const output = join(root, 'release', isWindows ? 'parcel-monitor.exe' : 'parcel-monitor');
await mkdir(workshop, { recursive: true });
await mkdir(join(root, 'release'), { recursive: true });
await build({
  ...programBundle,
  entryPoints: { program: 'src/cli.ts' },
  splitting: false,
  outdir: workshop,
  plugins: [...programBundle.plugins, programInside],
});
const settings = {
  main: join(workshop, 'program.js'),
  mainFormat: 'module',
  // The executable then starts three times as fast.
  useCodeCache: true,
  disableExperimentalSEAWarning: true,
  output,
};
const settingsFile = join(workshop, 'settings.json');
await writeFile(settingsFile, JSON.stringify(settings));
const words = ['exec', '--yes', '--package=node@26', '--', 'node', '--build-sea', settingsFile];
const { stdout } = await promisify(execFile)('npm', words, { cwd: workshop, shell: isWindows });
process.stdout.write(stdout);
