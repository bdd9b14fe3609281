/**
 * A path as one word of a command line that the user can copy.
 * @param platform as `process.platform`: on Windows as both of its shells read it
 */
export function shellWord(path: string, platform = 'linux'): string {
  if (platform === 'win32') return /^[\w@+=:./\\-]+$/.test(path) ? path : `"${path.replaceAll('"', '""')}"`;
  return /^[\w@%+=:,./~-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
