/** Says of each thing that fails once that it does, until it has worked again. */
export class FailureReports<Name extends string> {
  readonly #say: (sentence: string) => void;
  readonly #failing = new Set<Name>();

  constructor(say: (sentence: string) => void) {
    this.#say = say;
  }

  /** Takes how it went: a sentence for a failure, null for none. */
  take(name: Name, failure: string | null): void {
    if (failure === null) {
      this.#failing.delete(name);
    } else if (!this.#failing.has(name)) {
      this.#failing.add(name);
      this.#say(failure);
    }
  }
}
