const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** A size as a person reads it: `14 MB`. */
export function sizeText(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (size >= 1000 && unit < units.length - 1) [size, unit] = [size / 1000, unit + 1];
  const shown = unit === 0 || size >= 10 ? Math.round(size) : Math.round(size * 10) / 10;
  return `${shown} ${units[unit]}`;
}
