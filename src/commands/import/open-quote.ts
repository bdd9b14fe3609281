/** The line, from 1, of the quote in a table that is not closed; null when all are. */
export function openQuoteLine(text: string, delimiter: string): number | null {
  let line = 1;
  let openedAt: number | null = null;
  let isCellStart = true;
  for (let index = 0; index < text.length; index += 1) {
    const sign = text[index] ?? '';
    if (sign === '\n' || (sign === '\r' && text[index + 1] !== '\n')) line += 1;
    if (openedAt === null) {
      if (sign === '"' && isCellStart) openedAt = line;
      isCellStart = sign === delimiter || sign === '\n' || sign === '\r' || (isCellStart && sign === ' ');
    } else if (sign === '"') {
      if (text[index + 1] === '"') index += 1;
      else {
        openedAt = null;
        isCellStart = false;
      }
    }
  }
  return openedAt;
}
