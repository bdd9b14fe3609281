import type { JsonObject } from '../../service/text/json.ts';

/** One step from a file version to the next. Each step has a file of its own in this folder and a fixture. */
export interface Migration {
  /** The version that is read; what comes out is the next one. */
  readonly from: number;
  /** Turns a document of this version into one of the next; fields that it does not know stay. Pure. */
  readonly migrate: (document: JsonObject) => JsonObject;
}

/** Brings a document from its version to the newest, step by step. Throws a `RangeError` when a step is missing. */
export function migrateTo(
  newest: number,
  steps: readonly Migration[],
  document: JsonObject,
  version: number,
): JsonObject {
  let migrated = document;
  for (let from = version; from < newest; from += 1) {
    const step = steps.find((candidate) => candidate.from === from);
    if (step === undefined) throw new RangeError(`There is no step from file version ${from}.`);
    migrated = { ...step.migrate(migrated), version: from + 1 };
  }
  return migrated;
}
