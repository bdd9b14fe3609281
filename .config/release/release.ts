/**
 * Prepares a release without publishing it: checks version, changelog, tag and clone, packs and checks the tarball, and
 * writes it to `release/` with the bill of materials and the files of other package managers (`packaging/`). Exits with 1
 * if a check fails.
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { root } from '../bundle.ts';
import { type Bill, billOfBundle, bundledPackages } from './bill-of-materials.ts';
import {
  cloneProblems,
  type Manifest,
  manifestProblems,
  originProblems,
  type PackedTarball,
  tarballProblems,
  versionProblems,
} from './checks.ts';
import { packageFacts, packagingFiles } from './packaging.ts';

const execute = promisify(execFile);
const folder = join(root, 'release');

const run = async (program: string, words: readonly string[]): Promise<string> =>
  // On Windows npm is a script, which needs a shell.
  (await execute(program, words, { cwd: root, shell: process.platform === 'win32', maxBuffer: 2 ** 26 })).stdout;
const read = (name: string): Promise<string> => readFile(join(root, name), 'utf8');
const readJson = async <Content>(name: string): Promise<Content> => JSON.parse(await read(name)) as Content;

let isGood = true;
function report(what: string, problems: readonly string[]): void {
  process.stdout.write(
    problems.length === 0 ? `ok    ${what}\n` : problems.map((one) => `WRONG ${what}: ${one}\n`).join(''),
  );
  isGood &&= problems.length === 0;
}

const linesOf = (text: string): readonly string[] => text.split('\n').filter((one) => one !== '');

const manifest = await readJson<Manifest>('package.json');
const { version } = manifest;
const lock = await readJson<{ readonly version: string }>('package-lock.json');
report('package.json', manifestProblems(manifest));
report('origin', originProblems(manifest));
report(`version ${version} and changelog`, versionProblems(version, lock.version, await read('CHANGELOG.md')));
report(
  'clone and tag',
  cloneProblems(version, {
    changed: linesOf(await run('git', ['status', '--porcelain'])).map((one) => one.slice(3)),
    tags: linesOf(await run('git', ['tag', '--points-at', 'HEAD'])),
  }),
);

await rm(folder, { recursive: true, force: true });
await mkdir(folder);
// The build's output comes before the JSON.
const packing = await run('npm', ['pack', '--json', '--silent', '--pack-destination', folder]);
const packed = (JSON.parse(packing.slice(packing.indexOf('['))) as readonly PackedTarball[])[0];
if (packed === undefined) throw new Error('npm packed nothing.');
const tarball = join(folder, packed.filename);
report(`contents, ${packed.files.length} files, ${Math.ceil(packed.size / 1000)} kB`, tarballProblems(packed));
const bytes = await readFile(tarball);
const { messages, pkg } = await publint({
  strict: true,
  pack: { tarball: Uint8Array.from(bytes).buffer },
});
report(
  'package linter',
  messages.map((message) => formatMessage(message, pkg ?? {}, { color: false }) ?? message.code),
);

const bundled = bundledPackages(await read(join('dist', 'THIRD-PARTY-NOTICES.txt')));
const bill = JSON.parse(await run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'])) as Bill;
const billPath = join(folder, packed.filename.replace(/\.tgz$/, '.cdx.json'));
await writeFile(billPath, `${JSON.stringify(billOfBundle(bill, bundled), null, 2)}\n`);
report(`bill of materials, ${bundled.length} packages`, bundled.length > 0 ? [] : ['The notices list no packages.']);

const packaging = await packagingFiles(packageFacts(manifest, packed, bytes));
for (const [name, text] of packaging) await writeFile(join(folder, name), text);

process.stdout.write(
  `\n${tarball}\n${billPath}\n${packaging.map(([name]) => `${join(folder, name)}\n`).join('')}${packed.integrity}\n\nNothing was published. `,
);
process.stdout.write(
  isGood
    ? `Try it with "npm run try-package", then: git push origin v${version}. CI publishes it with provenance.\n`
    : 'Fix the problems above and run this again.\n',
);
process.exitCode = isGood ? 0 : 1;
