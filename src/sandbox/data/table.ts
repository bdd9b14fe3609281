/** Splits a table written as text, one row a line and columns parted by `|`, into its rows; the first line names the columns. */
export function readTable<Column extends string>(text: string): readonly Readonly<Record<Column, string>>[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const [columns = [], ...rows] = lines.map((line) => line.split('|').map((cell) => cell.trim()));
  return rows.map(
    (cells) =>
      Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ''])) as Record<Column, string>,
  );
}
