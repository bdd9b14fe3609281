import type { ServerFacts } from './server-facts.ts';

/** Why nothing can be written with a connection, as a sentence that says what to do; null when it can. */
export function readOnlyReason(facts: ServerFacts, place: string): string | null {
  if (facts.isReplica) return `${place} is a replica and can only be read from. Name the primary server to write.`;
  if (facts.isReadOnly) return `${place} lets this user only read. Name another user to write.`;
  if (facts.mayWrite === false)
    return `${place} gives this user the right to read only. Name another user to write, or see "parcel-monitor store grants".`;
  return null;
}
