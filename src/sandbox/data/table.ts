/** Splits a table written as text, one row a line and columns parted by `|`, into rows of trimmed cells. */
export function readTable(text: string): readonly (readonly string[])[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.split('|').map((cell) => cell.trim()));
}
