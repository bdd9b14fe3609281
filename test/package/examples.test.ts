import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { root } from '../../.config/bundle.ts';
import { exitCode } from '../../src/system/exit.ts';
import { createCliUser } from '../support/cli-user.ts';

const folder = join(root, 'src', 'examples');
const examples = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));

/** Returns the commands that get the program from a registry, where its name may belong to a different package. */
function registryCommands(text: string): readonly string[] {
  const lines =
    text.match(/\b(?:npx|bunx|npm (?:install|i|exec|x|add)|(?:pnpm|yarn) (?:dlx|add|global add))\b[^\n`'"]*/g) ?? [];
  return lines.filter((line) => line.split(/\s+/).some((word) => /^(?:--package=)?parcel-monitor(?:@.*)?$/.test(word)));
}

/** The status lines in the examples. */
const templates = examples.flatMap(({ name, text }) =>
  Array.from(text.matchAll(/parcel-monitor status --format '([^']*)'/g), ([, template = '']) => ({ name, template })),
);

describe('the examples', () => {
  it.each(templates)('use a valid status line in $name', async ({ template }) => {
    const user = await createCliUser();
    onTestFinished(user.remove);
    await user.run(['add', '1Z999AA10123456784']);
    const { stdout, ...result } = await user.run(['status', '--format', template]);
    expect(result).toEqual({ exitCode: exitCode.done, stderr: '' });
    expect(stdout).toMatch(/^[^{}]*\d[^{}]*\n$/);
  });

  it('are all mentioned in the manual', () => {
    const manual = readFileSync(join(root, 'src', 'manual.md'), 'utf8');
    for (const { name } of examples) expect(manual).toContain(`\`${name}\``);
    expect(templates.length).toBeGreaterThan(1);
  });

  it('never log in as the database administrator, and create a role that owns only one database', () => {
    const compose = examples.find(({ name }) => name === 'compose.yaml')?.text ?? '';
    // The image creates this user as a superuser.
    expect(compose).not.toMatch(/POSTGRES_USER/);
    expect(compose).toMatch(/CREATE ROLE parcels LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE /);
    expect(compose).toMatch(/CREATE DATABASE parcels OWNER parcels;/);
    const rules = /<<'RULES'\n(.*?)\n +RULES/s
      .exec(compose)?.[1]
      ?.split('\n')
      .map((line) => line.trim().split(/ +/));
    expect(rules?.filter(([, , user]) => user !== 'parcels')).toEqual([['local', 'all', 'postgres', 'peer']]);
    for (const { name, text } of examples)
      expect(text, name).not.toMatch(/(?<!NO)SUPERUSER|createuser .*(?:-s|--superuser)|\bpostgres:\/\/postgres@/);
  });

  it('treat termination by a signal as success, and do not restart if the configuration is invalid', () => {
    const unit = examples.find(({ name }) => name.endsWith('.service'))?.text ?? '';
    // 128 plus the numbers of SIGTERM and SIGHUP, the program's exit codes.
    expect(unit).toMatch(/^SuccessExitStatus=143 129$/m);
    expect(unit).toContain(`RestartPreventExitStatus=${exitCode.usage} ${exitCode.refused}`);
  });
});

describe('installation commands', () => {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|md|yaml|service|plist|toml|conf|jsonc)$|crontab$/.test(name))
    .map((name) => join('src', name));
  const documents = [
    'README.md',
    'CHANGELOG.md',
    '.github/CONTRIBUTING.md',
    '.github/SECURITY.md',
    '.github/workflows/ci.yml',
  ];

  it('use the packed file, not a package of the same name in a registry', () => {
    const found = [...sources, ...documents].flatMap((name) =>
      registryCommands(readFileSync(join(root, name), 'utf8')).map((line) => `${name}: ${line}`),
    );
    expect(found).toEqual([]);
    expect(registryCommands('npx --yes parcel-monitor watch')).toHaveLength(1);
    expect(registryCommands('npm install --global parcel-monitor@latest')).toHaveLength(1);
    expect(registryCommands('npm install --global ./parcel-monitor-*.tgz')).toEqual([]);
  });
});
