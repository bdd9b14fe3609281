/** What a part of the program gives to others, by its names. */
export type PartExports = Readonly<Record<string, unknown>>;

/** What the build has made of a module; one that waits for something answers a promise. */
type Part = (
  load: (name: string) => PartExports,
  later: (name: string) => Promise<PartExports>,
  meta: { readonly url: string },
) => PartExports | Promise<PartExports>;

/** A part that has been compiled. */
export interface CompiledPart {
  /** Whether the code that was given could be used. */
  readonly isFromKept: boolean;
  /** Answers the part itself. */
  readonly run: () => unknown;
  /** Its code as far as it has been compiled by now. */
  readonly code: () => Uint8Array;
}

/** What it takes to load parts. */
export interface PartsSource {
  /** Compiles the part with this name, with the help of what was kept of it. Throws when there is none. */
  readonly compile: (name: string, kept: Uint8Array | null) => CompiledPart;
  readonly urlOf: (name: string) => string;
  /** Compiled code by the names of parts. */
  readonly kept: ReadonlyMap<string, Uint8Array>;
}

/**
 * The parts of the built program, each loaded when it is first needed. Node loads modules by itself, but compiles most of
 * their functions anew at each start: what it keeps of them is made before they run.
 */
export class ProgramParts {
  readonly #source: PartsSource;
  readonly #loaded = new Map<string, PartExports | Promise<PartExports>>();
  readonly #compiled = new Map<string, CompiledPart>();

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

  /** Compiled code of all parts, also of those that were kept and not needed now; null when nothing is new in it. */
  newCode(): ReadonlyMap<string, Uint8Array> | null {
    const isNew = [...this.#compiled.values()].some(({ isFromKept }) => !isFromKept);
    if (!isNew) return null;
    const code = new Map(this.#source.kept);
    for (const [name, part] of this.#compiled) if (!part.isFromKept) code.set(name, part.code());
    return code;
  }

  #load(name: string): PartExports | Promise<PartExports> {
    const known = this.#loaded.get(name);
    if (known !== undefined) return known;
    const { compile, kept, urlOf } = this.#source;
    const compiled = compile(name, kept.get(name) ?? null);
    this.#compiled.set(name, compiled);
    const part = compiled.run() as Part;
    const exported = part(
      (other) => this.load(other),
      (other) => this.later(other),
      { url: urlOf(name) },
    );
    this.#loaded.set(name, exported);
    return exported;
  }
}
