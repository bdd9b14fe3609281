/**
 * Packs the program as for publishing, installs the tarball alone in an empty folder, and runs it on several Nodes, named as
 * npm names them: `npm run try-package -- 22 24 26`. Needs the network, for the Nodes. Ends with 1 when one cannot run it.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './bundle.ts';

const execute = promisify(execFile);
const asked = process.argv.slice(2);
/** The oldest that package.json allows, and the lines that are maintained. */
const nodes = asked.length > 0 ? asked : ['22.19.0', '22', '24', '26'];
const needed = ['dist/cli.js', 'dist/main.js', 'dist/THIRD-PARTY-NOTICES.txt', 'README.md', 'LICENSE', 'CHANGELOG.md'];

/** What is wrong with the list of a program's output; null when it is as it should be. */
type Look = (stdout: string, version: string) => boolean;

const runs: readonly (readonly [words: readonly string[], isRight: Look])[] = [
  [['--version'], (stdout, version) => stdout === `${version}\n`],
  [['list'], (stdout) => stdout === ''],
  [['list', '--json'], (stdout) => JSON.parse(stdout).parcels.length === 0],
  [['--demo'], (stdout) => /^STAGE +NUMBER/m.test(stdout)],
];

const folder = await mkdtemp(join(tmpdir(), 'parcel-monitor-package-'));
/** On Windows npm is a script, which only a shell runs. */
const shell = process.platform === 'win32';
const npm = (words: readonly string[], cwd: string) => execute('npm', words, { cwd, shell, maxBuffer: 2 ** 24 });
let isWhole = true;
const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`);

try {
  await npm(['pack', '--pack-destination', folder], root);
  const [tarball = ''] = await readdir(folder);
  const place = join(folder, 'installed');
  await mkdir(place);
  await npm(['install', '--prefix', place, '--offline', '--no-audit', '--no-fund', join(folder, tarball)], place);
  const packages = (await readdir(join(place, 'node_modules'))).filter((name) => !name.startsWith('.'));
  const program = join(place, 'node_modules', 'parcel-monitor');
  const held = (await readdir(program, { recursive: true })).map((name) => name.replaceAll('\\', '/'));
  const missing = needed.filter((name) => !held.includes(name));
  say(`${tarball}: ${held.length} files, installed beside ${packages.length - 1} packages`);
  if (missing.length > 0 || packages.length !== 1) isWhole = false;
  if (missing.length > 0) say(`It lacks ${missing.join(', ')}.`);
  const { version } = JSON.parse(await readFile(join(program, 'package.json'), 'utf8'));
  for (const name of nodes) await tryOn(name, program, version);
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exitCode = isWhole ? 0 : 1;

async function tryOn(name: string, program: string, version: string): Promise<void> {
  const place = join(folder, `node-${name}`);
  await mkdir(place);
  try {
    await npm(['install', '--prefix', place, '--no-audit', '--no-fund', `node@${name}`], place);
  } catch (error) {
    say(`Node ${name}: cannot be had here (${String(error).split('\n')[0]})`);
    isWhole = false;
    return;
  }
  const node = join(place, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  const home = join(place, 'home');
  await mkdir(home);
  const env = { ...process.env, HOME: home, USERPROFILE: home, NODE_OPTIONS: '' };
  const { stdout: itself } = await execute(node, ['--version'], { env });
  for (const [words, isRight] of runs) {
    const { stdout, stderr } = await execute(node, [join(program, 'dist', 'cli.js'), ...words], { env }).catch(
      (error: { readonly stdout: string; readonly stderr: string }) => error,
    );
    const isGood = isRight(stdout, version);
    say(`Node ${itself.trim()}: ${words.join(' ')} ${isGood ? 'runs' : `does not run:\n${stdout}${stderr}`}`);
    isWhole &&= isGood;
  }
}
