/** An address at the beginning of a sentence, or behind "in": not one that is to be typed, as in a command. */
const addressOfDatabase = /(^|[.!?] |\bin )postgres(?:ql)?:\/\/\S*[^\s.,:;]/gu;

/** A sentence that calls the watchlist's database "the database", for where its address would push out what it says. */
export function withoutAddress(text: string): string {
  return text.replace(addressOfDatabase, (_, before: string) =>
    before === 'in ' ? 'in the database' : `${before}The database`,
  );
}
