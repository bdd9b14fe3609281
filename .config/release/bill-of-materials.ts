/** Makes a software bill of materials (CycloneDX) of what the bundle holds, from npm's of all that the clone holds. */

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

/** Packages of the bundle as `name version`, as the notices about third parties list them. */
export function bundledPackages(notices: string): readonly string[] {
  const named = notices
    .split(`\n${'-'.repeat(80)}\n`)
    .slice(1)
    .flatMap((notice) => /^\s*(\S+ \S+) \(/.exec(notice)?.[1] ?? []);
  // One version may lie in several places.
  return [...new Set(named)];
}

/** The name under which it was published, whatever it is called here, and its version; from `pkg:npm/%40scope/name@1.0.0`. */
function nameOf({ purl }: Component): string {
  const [, name = '', version = ''] = /^pkg:npm\/(.+)@([^@?]+)/.exec(decodeURIComponent(purl)) ?? [];
  return `${name} ${version}`;
}

/**
 * The bill of what is bundled: npm knows everything that takes part in the development, none of which the package depends
 * on. Throws an `Error` when npm's bill lacks something that is bundled.
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
