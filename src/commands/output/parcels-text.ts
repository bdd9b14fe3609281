/** Between the parcels of an indented list, as between all that is indented twice. */
const indented = '\n    ';

/**
 * A list of parcels as JSON text, in pieces, a page each: what became of its parcels can be forgotten then. Without indentation it has
 * a line a parcel, which two lists can be compared by, and which takes half the time to write.
 * @param list all but the parcels
 * @param textOf the JSON of a parcel, indented by as much; called for each when its turn has come
 * @param space by how much it is indented
 */
export async function* parcelsText<Parcel>(
  list: { readonly parcels?: readonly object[] },
  pages: AsyncIterable<readonly Parcel[]> | Iterable<readonly Parcel[]>,
  textOf: (parcel: Parcel) => string,
  space: 0 | 2,
): AsyncGenerator<string> {
  const { parcels: _, ...others } = list;
  const frame = JSON.stringify({ ...others, parcels: [] }, null, space);
  const end = frame.lastIndexOf(']');
  yield frame.slice(0, end);
  const lineBreak = space === 0 ? '\n' : indented;
  let separator = '';
  for await (const page of pages) {
    if (page.length === 0) continue;
    const texts = page.map((parcel) => (space === 0 ? textOf(parcel) : textOf(parcel).replaceAll('\n', indented)));
    yield separator + lineBreak + texts.join(`,${lineBreak}`);
    separator = ',';
  }
  yield `${separator === '' && space > 0 ? '' : lineBreak.slice(0, 1 + space)}${frame.slice(end)}\n`;
}
