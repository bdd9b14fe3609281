import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../.config/bundle.ts';
import { type Bill, billOfBundle, bundledPackages } from '../../.config/release/bill-of-materials.ts';
import {
  cloneProblems,
  manifestProblems,
  maxPackageBytes,
  type PackedTarball,
  tarballProblems,
  versionProblems,
} from '../../.config/release/checks.ts';

const changelog = '# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2026-11-20\n\n### Added\n\n- All.\n';

describe('a release', () => {
  it.each(['ci.yml', 'release.yml'])('uses only actions that are pinned to a commit, in %s', (name) => {
    const used = readFileSync(join(root, '.github', 'workflows', name), 'utf8').match(/uses: .*/g) ?? [];
    expect(used.length).toBeGreaterThan(1);
    expect(used.filter((line) => !/^uses: \S+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });

  it('is published with provenance', () => {
    const workflow = readFileSync(join(root, '.github', 'workflows', 'release.yml'), 'utf8');
    expect(workflow.match(/npm publish.*/g)).toEqual(['npm publish --provenance --access public release/*.tgz']);
    expect(workflow).toContain('id-token: write');
  });

  it('is a package without install scripts or dependencies', () => {
    const origin = { description: 'Lists.', license: 'MIT', engines: { node: '>=22.19' } };
    const manifest = { ...origin, name: 'p', version: '1.2.0', scripts: { prepack: 'build' } };
    expect(manifestProblems(manifest)).toEqual([]);
    expect(manifestProblems({ ...manifest, version: 'next' })).toEqual(['"next" is not a valid version.']);
    expect(manifestProblems({ ...manifest, private: true })).toHaveLength(1);
    expect(manifestProblems({ ...manifest, scripts: { postinstall: 'x' } })).toHaveLength(1);
    expect(manifestProblems({ ...manifest, dependencies: { ink: '8.0.0' } })).toHaveLength(1);
    expect(manifestProblems({ ...manifest, dependencies: {} })).toEqual([]);
  });

  it('has a version that is in the lock file and the changelog', () => {
    expect(versionProblems('1.2.0', '1.2.0', changelog)).toEqual([]);
    expect(versionProblems('1.2.0', '1.1.0', changelog)).toEqual([expect.stringContaining('package-lock.json')]);
    expect(versionProblems('1.3.0', '1.3.0', changelog)).toEqual([expect.stringContaining('[1.3.0]')]);
    expect(versionProblems('1.2.0', '1.2.0', changelog.replace(' - 2026-11-20', ''))).toHaveLength(1);
    expect(versionProblems('1.2.0', '1.2.0', changelog.replace('## [1.2', '- New.\n\n## [1.2'))).toEqual([
      expect.stringContaining('Unreleased'),
    ]);
  });

  it('comes from a clean clone with a tag for its version', () => {
    expect(cloneProblems('1.2.0', { changed: [], tags: ['v1.2.0', 'latest'] })).toEqual([]);
    expect(cloneProblems('1.2.0', { changed: ['a.ts'], tags: ['v1.1.0'] })).toHaveLength(2);
  });

  it('contains all required files and no others', () => {
    const files = [
      ...['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'dist/main.js', 'dist/parcel-monitor.1'],
      ...['dist/THIRD-PARTY-NOTICES.txt', 'dist/completions/bash/parcel-monitor', 'dist/schemas/list.json'],
      ...['dist/completions/zsh/_parcel-monitor', 'dist/completions/fish/parcel-monitor.fish'],
      ...['dist/examples/parcel-monitor.service', 'dist/examples/parcel-monitor.plist', 'dist/chunks/x-1A.js'],
    ].map((path) => ({ path, mode: 0o644 }));
    const launcher = { path: 'dist/cli.js', mode: 0o755 };
    const tarball: PackedTarball = {
      filename: 'p.tgz',
      size: 900_000,
      integrity: 'sha512-x',
      files: [...files, launcher],
    };
    expect(tarballProblems(tarball)).toEqual([]);
    expect(tarballProblems({ ...tarball, files })).toEqual(['The tarball lacks dist/cli.js.']);
    expect(tarballProblems({ ...tarball, files: [...files, { ...launcher, mode: 0o644 }] })).toHaveLength(1);
    expect(tarballProblems({ ...tarball, size: maxPackageBytes + 1 })).toHaveLength(1);
    for (const path of ['.env', 'dist/chunks/main.js.map', 'src/main.ts', 'dist/chunks/../x']) {
      expect(tarballProblems({ ...tarball, files: [...tarball.files, { path, mode: 0o644 }] })).toHaveLength(1);
    }
  });
});

describe('the bill of materials', () => {
  const rule = `\n\n${'-'.repeat(80)}\n\n`;
  const component = (ref: string, purl: string) => ({ 'bom-ref': ref, purl, scope: 'optional' });
  const bill: Bill = {
    metadata: { component: { 'bom-ref': 'own' } },
    components: [
      component('ink@8.0.0', 'pkg:npm/ink@8.0.0'),
      component('@a/table@1.0.0', 'pkg:npm/%40a/table@1.0.0'),
      component('vitest@5.0.0', 'pkg:npm/vitest@5.0.0'),
    ],
    dependencies: [
      { ref: 'own', dependsOn: ['ink@8.0.0', 'vitest@5.0.0'] },
      { ref: 'ink@8.0.0', dependsOn: ['@a/table@1.0.0', 'vitest@5.0.0'] },
      { ref: 'vitest@5.0.0', dependsOn: [] },
    ],
  };

  it('lists the bundled packages by their published names', () => {
    const bundled = bundledPackages(
      ['Contains these.', 'ink 8.0.0 (MIT)\n\nText', '@a/table 1.0.0 (MIT)\n'].join(rule),
    );
    expect(bundled).toEqual(['ink 8.0.0', '@a/table 1.0.0']);
    const { components, dependencies } = billOfBundle(bill, bundled);
    expect(components.map(({ 'bom-ref': ref, scope }) => [ref, scope])).toEqual([
      ['ink@8.0.0', 'required'],
      ['@a/table@1.0.0', 'required'],
    ]);
    expect(dependencies).toEqual([
      { ref: 'own', dependsOn: ['ink@8.0.0', '@a/table@1.0.0'] },
      { ref: 'ink@8.0.0', dependsOn: ['@a/table@1.0.0'] },
    ]);
  });

  it('is refused if a bundled package is missing', () => {
    expect(() => billOfBundle(bill, ['react 19.0.0'])).toThrow('lacks react 19.0.0');
  });
});
