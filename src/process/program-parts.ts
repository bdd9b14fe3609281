/** What a part of the program gives to others, by its names. */
export type PartExports = Readonly<Record<string, unknown>>;

/** What the build has made of a module; one that waits for something answers a promise. */
type Part = (
  load: (name: string) => PartExports,
  later: (name: string) => Promise<PartExports>,
  meta: { readonly url: string },
) => PartExports | Promise<PartExports>;

/** What it takes to load parts. */
export interface PartsSource {
  /** Runs the script with this name and answers the part. Throws when there is none. */
  readonly run: (name: string) => unknown;
  readonly urlOf: (name: string) => string;
}

/** The parts of the built program, each loaded when it is first needed: a script takes less time to load than a module. */
export class ProgramParts {
  readonly #source: PartsSource;
  readonly #loaded = new Map<string, PartExports | Promise<PartExports>>();

  constructor(source: PartsSource) {
    this.#source = source;
  }

  /** What a part gives to others. Throws when it cannot be loaded. */
  load(name: string): PartExports {
    return this.#load(name) as PartExports;
  }

  /** As {@link load}, for a part that may have to wait for something. Rejects when it cannot be loaded. */
  async later(name: string): Promise<PartExports> {
    return await this.#load(name);
  }

  #load(name: string): PartExports | Promise<PartExports> {
    const known = this.#loaded.get(name);
    if (known !== undefined) return known;
    const part = this.#source.run(name) as Part;
    const exported = part(
      (other) => this.load(other),
      (other) => this.later(other),
      { url: this.#source.urlOf(name) },
    );
    this.#loaded.set(name, exported);
    return exported;
  }
}
