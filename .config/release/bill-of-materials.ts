/** Creates a software bill of materials (CycloneDX) of the bundle from npm's, which lists the whole clone. */

interface Component {
  readonly 'bom-ref': string;
  readonly purl: string;
  readonly scope?: string;
}

export interface Bill {
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
  readonly metadata: { readonly component: { readonly 'bom-ref': string } };
}

/** Returns the bundled packages as `name version`, read from the third-party notices. */
export function bundledPackages(notices: string): readonly string[] {
  const named = notices
    .split(`\n${'-'.repeat(80)}\n`)
    .slice(1)
    .flatMap((notice) => /^\s*(\S+ \S+) \(/.exec(notice)?.[1] ?? []);
  // A version can be installed in several places.
  return [...new Set(named)];
}

/** Returns the published name and version, from `pkg:npm/%40scope/name@1.0.0`. Ignores aliases. */
function nameOf({ purl }: Component): string {
  const [, name = '', version = ''] = /^pkg:npm\/(.+)@([^@?]+)/.exec(decodeURIComponent(purl)) ?? [];
  return `${name} ${version}`;
}

/**
 * Reduces npm's bill, which lists all development dependencies, to the bundled packages. Throws an `Error` if a bundled
 * package is missing from npm's bill.
 */
export function billOfBundle<Given extends Bill>(bill: Given, bundled: readonly string[]): Given {
  const missing = bundled.filter((one) => !bill.components.some((component) => nameOf(component) === one));
  if (missing.length > 0) throw new Error(`npm's bill of materials lacks ${missing.join(', ')}.`);
  const components = bill.components
    .filter((component) => bundled.includes(nameOf(component)))
    .map((component) => ({ ...component, scope: 'required' }));
  const refs = new Set(components.map((component) => component['bom-ref']));
  const own = bill.metadata.component['bom-ref'];
  const dependencies = bill.dependencies.flatMap(({ dependsOn = [], ref }) => {
    if (ref === own) return [{ ref, dependsOn: [...refs] }];
    return refs.has(ref) ? [{ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }] : [];
  });
  return { ...bill, components, dependencies };
}
