/**
 * Makes one file of Node and the program, `release/parcel-monitor`, for this kind of machine. Node 26 makes it: older Nodes put
 * only CommonJS into an executable, which Ink's top-level await rules out. Needs the network, for that Node.
 */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build, type Plugin } from 'esbuild';
import { programBundle, root } from './bundle.ts';

/** The launcher loads the built program; here both are in one file. */
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
  // Starts in a third of the time.
  useCodeCache: true,
  disableExperimentalSEAWarning: true,
  output,
};
const settingsFile = join(workshop, 'settings.json');
await writeFile(settingsFile, JSON.stringify(settings));
const words = ['exec', '--yes', '--package=node@26', '--', 'node', '--build-sea', settingsFile];
const { stdout } = await promisify(execFile)('npm', words, { cwd: workshop, shell: isWindows });
process.stdout.write(stdout);
