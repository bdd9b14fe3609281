/**
 * Packs the program as for publishing, installs the tarball in an empty folder, and runs it on several Node versions,
 * also with npx: `npm run try-package -- 22 24 26`. Downloads these versions from npm. Exits with 1 if the program fails
 * on one of them.
 */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './bundle.ts';
import { type PackedTarball, tarballProblems } from './release/checks.ts';

const execute = promisify(execFile);
const asked = process.argv.slice(2);
/** The oldest version that package.json allows, and the maintained release lines. */
const nodes = asked.length > 0 ? asked : ['22.19.0', '22', '24', '26'];
type Look = (stdout: string, version: string) => boolean;

const isDemo: Look = (stdout) => /^STAGE +NUMBER/m.test(stdout);

const runs: readonly (readonly [words: readonly string[], isRight: Look])[] = [
  [['--version'], (stdout, version) => stdout === `${version}\n`],
  [['list'], (stdout) => stdout === ''],
  [['list', '--json'], (stdout) => JSON.parse(stdout).parcels.length === 0],
  [['--demo'], isDemo],
];

const folder = await mkdtemp(join(tmpdir(), 'parcel-monitor-package-'));
/** On Windows npm is a script, which needs a shell. */
const shell = process.platform === 'win32';
const npm = (words: readonly string[], cwd: string) => execute('npm', words, { cwd, shell, maxBuffer: 2 ** 24 });
let isWhole = true;
const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`);

try {
  const { stdout: packing } = await npm(['pack', '--json', '--silent', '--pack-destination', folder], root);
  // The build's output comes before the JSON.
  const [packed] = JSON.parse(packing.slice(packing.indexOf('['))) as readonly [PackedTarball];
  const { filename: tarball } = packed;
  const place = join(folder, 'installed');
  await mkdir(place);
  await npm(['install', '--prefix', place, '--offline', '--no-audit', '--no-fund', join(folder, tarball)], place);
  const packages = (await readdir(join(place, 'node_modules'))).filter((name) => !name.startsWith('.'));
  const program = join(place, 'node_modules', 'parcel-monitor');
  const problems = tarballProblems(packed);
  say(`${tarball}: ${Math.ceil(packed.size / 1000)} kB, installed with ${packages.length - 1} other packages`);
  for (const problem of problems) say(problem);
  if (problems.length > 0 || packages.length !== 1) isWhole = false;
  const { version } = JSON.parse(await readFile(join(program, 'package.json'), 'utf8'));
  for (const name of nodes) await tryOn(name, program, join(folder, tarball), version);
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exitCode = isWhole ? 0 : 1;

async function tryOn(name: string, program: string, tarball: string, version: string): Promise<void> {
  const place = join(folder, `node-${name}`);
  await mkdir(place);
  try {
    await npm(['install', '--prefix', place, '--no-audit', '--no-fund', `node@${name}`], place);
  } catch (error) {
    say(`Node ${name}: cannot be installed here (${String(error).split('\n')[0]})`);
    isWhole = false;
    return;
  }
  const bin = join(place, 'node_modules', 'node', 'bin');
  const node = join(bin, process.platform === 'win32' ? 'node.exe' : 'node');
  const home = join(place, 'home');
  await mkdir(home);
  const env = { ...process.env, HOME: home, USERPROFILE: home, NODE_OPTIONS: '' };
  const { stdout: itself } = await execute(node, ['--version'], { env });
  type Run = { readonly stdout: string; readonly stderr: string };
  const judge = async (what: string, isRight: Look, running: Promise<Run>): Promise<void> => {
    const { stderr, stdout } = await running.catch((error: Run) => error);
    const isGood = isRight(stdout, version);
    say(`Node ${itself.trim()}: ${what} ${isGood ? 'runs' : `does not run:\n${stdout}${stderr}`}`);
    isWhole &&= isGood;
  };
  for (const [words, isRight] of runs) {
    const running = execute(node, [join(program, 'dist', 'cli.js'), ...words], { env });
    await judge(words.join(' '), isRight, running);
  }
  const npxEnv = { ...env, PATH: `${bin}${delimiter}${env['PATH'] ?? ''}`, npm_config_cache: join(place, 'cache') };
  // npx runs an absolute path as a program, and resolves a relative one in the nearest parent folder with a package.
  await writeFile(join(home, 'package.json'), '{}');
  await copyFile(tarball, join(home, basename(tarball)));
  const npx = execute('npx', ['--yes', `./${basename(tarball)}`, '--demo'], { cwd: home, env: npxEnv, shell });
  await judge('npx …tgz --demo', isDemo, npx);
}
