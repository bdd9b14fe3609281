/**
 * Writes the program to `dist/`: a launcher that any Node can parse (`cli.js`), chunks that load on demand, the licences
 * of bundled packages, the schemas of the JSON output, the manual page, completions and examples.
 */
import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toJsonSchema } from '@valibot/to-json-schema';
import { build, type Metafile } from 'esbuild';
import { completionScripts } from '../src/commands/completion/completion.ts';
import { publishedSchemas } from '../src/commands/published-schemas.ts';
import { configSchemaText } from '../src/settings/change-config-file.ts';
import { launcherBundle, programBundle, root } from './bundle.ts';
import { writeManual } from './manual/manual.ts';
import { noticeOf } from './notices.ts';

const dist = join(root, 'dist');

async function bundle(outdir: string): Promise<readonly Metafile[]> {
  const launcher = await build({ ...launcherBundle, outdir });
  const program = await build({ ...programBundle, outdir });
  await chmod(join(outdir, 'cli.js'), 0o755);
  return [launcher.metafile, program.metafile];
}

function bundledPackages(metafiles: readonly Metafile[]): readonly string[] {
  const packageDirectory = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;
  const inputs = metafiles.flatMap((metafile) =>
    Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs)),
  );
  return [...new Set(inputs.flatMap((input) => packageDirectory.exec(input)?.[1] ?? []))].sort();
}

/** The tracking number formats do not come from a package. */
async function dataNotice(): Promise<string> {
  const licence = await readFile(join(root, 'src/scan/data/LICENSE-tracking_number_data.txt'), 'utf8');
  return `tracking_number_data (MIT), tracking number formats\n\n${licence.trim()}`;
}

async function writeNotices(outdir: string, metafiles: readonly Metafile[]): Promise<void> {
  const notices = [
    ...(await Promise.all(bundledPackages(metafiles).map((folder) => noticeOf(join(root, folder))))),
    await dataNotice(),
  ];
  const introduction = 'parcel-monitor contains these packages and data. Their licences follow.';
  const rule = `\n\n${'-'.repeat(80)}\n\n`;
  await writeFile(join(outdir, 'THIRD-PARTY-NOTICES.txt'), `${[introduction, ...notices].join(rule)}\n`);
}

/** Writes JSON Schemas (draft 7) of the output, one file per command, and of `config.json`. */
async function writeSchemas(outdir: string): Promise<void> {
  const folder = join(outdir, 'schemas');
  await mkdir(folder);
  await writeFile(join(folder, 'config.json'), await configSchemaText());
  for (const [name, { schema, title }] of Object.entries(publishedSchemas)) {
    const { $schema, ...shape } = toJsonSchema(schema, { target: 'draft-07' });
    await writeFile(join(folder, `${name}.json`), `${JSON.stringify({ $schema, title, ...shape })}\n`);
  }
}

/** Writes completion scripts with the file names that bash-completion, zsh (`fpath`) and fish look for. */
async function writeCompletions(outdir: string): Promise<void> {
  const names = { bash: 'parcel-monitor', zsh: '_parcel-monitor', fish: 'parcel-monitor.fish' } as const;
  for (const shell of ['bash', 'zsh', 'fish'] as const) {
    const folder = join(outdir, 'completions', shell);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, names[shell]), completionScripts[shell]);
  }
}

/** Moves the finished directory to `dist/`. Two builds at the same time both succeed, and the later one wins. */
async function moveIntoPlace(fresh: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const old = `${fresh}-old-${attempt}`;
    await rename(dist, old).catch(ignoreMissing);
    await rm(old, { recursive: true, force: true });
    try {
      await rename(fresh, dist);
      return;
    } catch (error) {
      // Another build has just moved its own directory there.
      if (attempt >= 20) throw error;
    }
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

// Without this line, scripts that build first would be silent for seconds.
process.stderr.write('Building…\n');
const workshop = join(root, 'node_modules', '.cache', 'parcel-monitor');
await mkdir(workshop, { recursive: true });
const fresh = await mkdtemp(join(workshop, 'build-'));
// All users can read the published files.
await chmod(fresh, 0o755);
try {
  await writeNotices(fresh, await bundle(fresh));
  await writeSchemas(fresh);
  await writeCompletions(fresh);
  await writeManual(fresh);
  await cp(join(root, 'src', 'examples'), join(fresh, 'examples'), { recursive: true });
  await moveIntoPlace(fresh);
} finally {
  await rm(fresh, { recursive: true, force: true });
}
