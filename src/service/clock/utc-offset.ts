const usualOffset = /^[+-]\d{2}:\d{2}$/;

/** Writes an offset of whole minutes as `+HH:MM` or `-HH:MM`. */
export function formatOffset(minutes: number): string {
  const magnitude = Math.abs(minutes);
  const pad = (value: number): string => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${pad(Math.floor(magnitude / 60))}:${pad(magnitude % 60)}`;
}

/**
 * Reads `+08:00`, `+0800`, `+8`, `-5`, `UTC+8`, `GMT+08:00` and `Z` as minutes ahead of UTC; null for anything else or
 * beyond ±14 h.
 */
export function parseOffset(text: string | null): number | null {
  if (text === null) return null;
  if (usualOffset.test(text)) return signedOffset(text.charAt(0), Number(text.slice(1, 3)), Number(text.slice(4)));
  if (/^(?:z|utc|gmt)$/i.test(text)) return 0;
  const match = /^(?:utc|gmt)?\s*([+-])(\d{1,2})(?::?(\d{2}))?$/i.exec(text);
  return match === null ? null : signedOffset(match[1], Number(match[2]), Number(match[3] ?? '0'));
}

function signedOffset(sign: string | undefined, hours: number, minutes: number): number | null {
  const magnitude = hours * 60 + minutes;
  if (magnitude > 14 * 60 || minutes > 59) return null;
  return magnitude === 0 ? 0 : sign === '-' ? -magnitude : magnitude;
}
