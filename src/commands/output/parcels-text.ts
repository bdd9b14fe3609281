/** How many parcels are made text, and given away, before the next: what became of them can be forgotten then. */
const parcelsInPiece = 100;

/**
 * A list of parcels as JSON text, in pieces: indented for somebody at a terminal; else a line a parcel, which two lists can
 * be compared by, and which takes half the time to write.
 * @param list all but the parcels
 * @param jsonOf called for each parcel when its turn has come
 */
export function* parcelsText<Parcel>(
  list: { readonly parcels: readonly object[] },
  { parcels, jsonOf }: { readonly parcels: readonly Parcel[]; readonly jsonOf: (parcel: Parcel) => object },
  isTerminal: boolean,
): Generator<string> {
  if (isTerminal) {
    yield `${JSON.stringify({ ...list, parcels: parcels.map(jsonOf) }, null, 2)}\n`;
    return;
  }
  yield* listedText(list, parcels, (parcel) => JSON.stringify(jsonOf(parcel)));
}

/**
 * The same as a line a parcel.
 * @param lineOf called for each parcel when its turn has come
 */
export function* listedText<Parcel>(
  list: { readonly parcels?: readonly object[] },
  parcels: readonly Parcel[],
  lineOf: (parcel: Parcel) => string,
): Generator<string> {
  const { parcels: _, ...others } = list;
  yield `${JSON.stringify({ ...others, parcels: [] }).slice(0, -']}'.length)}\n`;
  for (let from = 0; from < parcels.length; from += parcelsInPiece) {
    const lines = parcels.slice(from, from + parcelsInPiece).map(lineOf);
    yield from === 0 ? lines.join(',\n') : `,\n${lines.join(',\n')}`;
  }
  yield '\n]}\n';
}
