/** Checks before a version is published. Each one returns what is wrong and what to do, or nothing. */

/** Maximum size of the packed tarball, in bytes. */
export const maxPackageBytes = 1_000_000;

type Named = string | Readonly<Record<string, string>>;

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly engines: { readonly node: string };
  readonly repository?: Named;
  readonly bugs?: Named;
  readonly homepage?: string;
  readonly author?: Named;
  readonly private?: boolean;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly bundleDependencies?: unknown;
}

export interface CloneState {
  readonly changed: readonly string[];
  readonly tags: readonly string[];
}

export interface PackedTarball {
  readonly filename: string;
  /** In bytes. */
  readonly size: number;
  readonly integrity: string;
  readonly files: readonly { readonly path: string; readonly mode: number }[];
}

/** Scripts that npm runs when a user installs the package. */
const installScripts = ['preinstall', 'install', 'postinstall', 'prepublish'];

/** Checks that the package has no dependencies and no install scripts. */
export function manifestProblems(manifest: Manifest): readonly string[] {
  const kinds = ['dependencies', 'optionalDependencies', 'peerDependencies', 'bundleDependencies'] as const;
  return [
    ...(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(manifest.version) ? [] : [`"${manifest.version}" is not a valid version.`]),
    ...(manifest.private === true ? ['package.json says "private": remove that.'] : []),
    ...installScripts
      .filter((name) => manifest.scripts?.[name] !== undefined)
      .map((name) => `The script "${name}" would run where the package is installed: remove it.`),
    ...kinds
      .filter((kind) => Object.keys(manifest[kind] ?? {}).length > 0)
      .map((kind) => `package.json has ${kind}: bundle them, and move them to devDependencies.`),
  ];
}

/** Checks the fields that name the origin, which a fork sets. npm's provenance statement needs "repository". */
export function originProblems(manifest: Manifest): readonly string[] {
  // The package linter accepts a repository only as an object.
  const examples = {
    repository: 'repository.type=git repository.url=git+https://github.com/OWNER/NAME.git',
    bugs: 'bugs=https://github.com/OWNER/NAME/issues',
    homepage: 'homepage=https://github.com/OWNER/NAME#readme',
    author: "'author=NAME <EMAIL>'",
  };
  const fields = ['repository', 'bugs', 'homepage', 'author'] as const;
  return fields
    .filter((field) => manifest[field] === undefined)
    .map((field) => `package.json has no "${field}": npm pkg set ${examples[field]}`);
}

export function versionProblems(version: string, lockedVersion: string, changelog: string): readonly string[] {
  const section = sectionOf(changelog, version);
  const unreleased = sectionOf(changelog, 'Unreleased');
  return [
    ...(lockedVersion === version ? [] : [`package-lock.json has version ${lockedVersion}: run "npm install".`]),
    ...(section === null
      ? [`CHANGELOG.md has no section "## [${version}] - YYYY-MM-DD": rename "Unreleased" to this heading.`]
      : []),
    ...(section?.text === '' ? [`CHANGELOG.md has no entry for ${version}.`] : []),
    ...(section !== null && section.date === null ? [`CHANGELOG.md does not say when ${version} was released.`] : []),
    ...(unreleased !== null && unreleased.text !== ''
      ? [`CHANGELOG.md has changes below "Unreleased": they are in the package, so they belong to ${version}.`]
      : []),
  ];
}

function sectionOf(changelog: string, name: string): { readonly text: string; readonly date: string | null } | null {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((one) => one.startsWith(`[${name}]`));
  if (section === undefined) return null;
  const [heading = '', ...lines] = section.split('\n');
  return { text: lines.join('\n').trim(), date: / - (\d{4}-\d\d-\d\d)$/.exec(heading)?.[1] ?? null };
}

/** Checks that the clone is unchanged since the tag. */
export function cloneProblems(version: string, { changed, tags }: CloneState): readonly string[] {
  return [
    ...(changed.length === 0 ? [] : [`Uncommitted changes: ${changed.join(', ')}.`]),
    ...(tags.includes(`v${version}`) ? [] : [`This commit is not tagged v${version}: run "git tag -a v${version}".`]),
  ];
}

const needed = [
  'package.json',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'dist/cli.js',
  'dist/main.js',
  'dist/parcel-monitor.1',
  'dist/THIRD-PARTY-NOTICES.txt',
  'dist/completions/bash/parcel-monitor',
  'dist/completions/zsh/_parcel-monitor',
  'dist/completions/fish/parcel-monitor.fish',
  'dist/examples/parcel-monitor.service',
  'dist/examples/parcel-monitor.plist',
  'dist/schemas/list.json',
];

const expected =
  /^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md|dist\/(?:cli\.js|main\.js|parcel-monitor\.1|THIRD-PARTY-NOTICES\.txt|chunks\/[\w.-]+\.js|schemas\/[\w-]+\.json|completions\/.+|examples\/[\w.-]+))$/;

/** Checks that the tarball contains the expected files and no others, and is small enough. */
export function tarballProblems({ files, size }: PackedTarball): readonly string[] {
  const paths = files.map(({ path }) => path);
  const missing = needed.filter((path) => !paths.includes(path));
  const surplus = paths.filter((path) => !expected.test(path));
  const launcher = files.find(({ path }) => path === 'dist/cli.js');
  return [
    ...(missing.length === 0 ? [] : [`The tarball lacks ${missing.join(', ')}.`]),
    ...(surplus.length === 0 ? [] : [`The tarball contains unknown files: ${surplus.join(', ')}.`]),
    ...(launcher !== undefined && (launcher.mode & 0o111) === 0 ? ['dist/cli.js cannot be executed.'] : []),
    ...(size > maxPackageBytes ? [`The tarball is ${size} bytes, and the limit is ${maxPackageBytes}.`] : []),
  ];
}
