/** What is known of a path. */
interface PathFacts {
  readonly ino: number;
  readonly mtimeMs: number;
  readonly size: number;
  isDirectory(): boolean;
}

/**
 * Differs whenever a file was replaced or written, and when a folder is another one, whatever happens in it.
 * @param facts of the path; undefined when there is nothing
 */
export function pathMark(facts: PathFacts | undefined): string {
  if (facts === undefined) return 'none';
  return facts.isDirectory() ? String(facts.ino) : `${facts.ino}-${facts.mtimeMs}-${facts.size}`;
}
