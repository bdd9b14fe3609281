/** The values of an option that may be given several times, in their order. */
export function addedTo(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}
