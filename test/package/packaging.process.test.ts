import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../.config/bundle.ts';
import { originProblems } from '../../.config/release/checks.ts';
import { filledIn, packageFacts, packagingFiles } from '../../.config/release/packaging.ts';

const manifest = {
  ...JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
  repository: { type: 'git', url: 'git+https://github.com/ann/parcel-monitor.git' },
  bugs: 'https://github.com/ann/parcel-monitor/issues',
  homepage: 'https://github.com/ann/parcel-monitor#readme',
  author: { name: 'Ann Example', email: 'ann@example.org' },
};
const tarball = { filename: 'parcel-monitor-1.2.0.tgz', integrity: 'sha512-z5tN1xO1G7Du4mEVC3kwWg==' };
const facts = packageFacts({ ...manifest, version: '1.2.0' }, tarball, new TextEncoder().encode('tarball'));
const files = new Map(await packagingFiles(facts));
const isInstalled = (name: string): boolean => spawnSync(name, ['--version']).error === undefined;

describe('packaging files', () => {
  it("name the package's version, URLs and checksum", () => {
    expect([...files.keys()].sort()).toEqual(['Dockerfile', 'PKGBUILD', 'flake.nix', 'parcel-monitor.rb']);
    for (const name of ['PKGBUILD', 'flake.nix', 'parcel-monitor.rb']) {
      expect(files.get(name)).toContain('https://registry.npmjs.org/parcel-monitor/-/parcel-monitor-1.2.0.tgz');
      expect(files.get(name)).toContain('https://github.com/ann/parcel-monitor#readme');
    }
    expect(files.get('parcel-monitor.rb')).toMatch(/sha256 "[0-9a-f]{64}"/);
    expect(files.get('flake.nix')).toContain(`hash = "${tarball.integrity}"`);
    expect(files.get('PKGBUILD')).toContain("depends=('nodejs>=22.19')");
    expect(files.get('Dockerfile')).toContain('image.source="https://github.com/ann/parcel-monitor.git"');
  });

  it('describe the program in at most 80 characters, as Homebrew requires', () => {
    expect(facts['summary']).toMatch(/^[B-Z].{20,78}[^.]$/);
  });

  it('run the container as an unprivileged user, with all files in a volume', () => {
    const lines = files.get('Dockerfile')?.split('\n') ?? [];
    expect(lines.slice(lines.lastIndexOf('FROM node:24-slim'))).toEqual(
      expect.arrayContaining(['ENV HOME=/data', 'USER node', 'VOLUME /data']),
    );
  });

  const parsers: readonly (readonly [program: string, args: readonly string[], name: string])[] = [
    ['ruby', ['-c', '-'], 'parcel-monitor.rb'],
    ['nix-instantiate', ['--parse', '-'], 'flake.nix'],
    ['bash', ['-n', '-'], 'PKGBUILD'],
    ['hadolint', ['-'], 'Dockerfile'],
  ];
  for (const [program, args, name] of parsers) {
    it.skipIf(!isInstalled(program))(`are valid according to ${program}`, () => {
      // Nix prints messages about its own settings on standard error.
      execFileSync(program, args, { input: files.get(name), stdio: ['pipe', 'pipe', 'ignore'] });
    });
  }

  it('cannot be filled in with fields that package.json lacks, or with values that would end a quoted string', () => {
    expect(() => filledIn('@colour@', facts)).toThrow('@colour@');
    expect(() => filledIn('"@author@"', { author: 'Ann "$(id)"' })).toThrow('cannot be quoted');
  });
});

it('explains how to add a missing repository to package.json', () => {
  expect(originProblems(manifest)).toEqual([]);
  const { repository: _, ...without } = manifest;
  expect(originProblems(without)).toEqual([
    expect.stringContaining('npm pkg set repository.type=git repository.url=git+https://github.com/OWNER/NAME.git'),
  ]);
});
