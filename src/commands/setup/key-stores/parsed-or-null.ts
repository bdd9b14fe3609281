/** What a program printed as JSON; null for what is none. Its words are not repeated: they may hold the key. */
export function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller says what is missing.
    return null;
  }
}
