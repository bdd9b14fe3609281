/** Oldest Node that the program runs on; the same as `engines` in package.json. */
export const oldestNode = '22.19';

/**
 * What to say to a person who starts the program on a Node that is too old; null when the version will do.
 * `version` is `process.versions.node`.
 */
export function complaintAboutNode(version: string): string | null {
  const [major, minor] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = oldestNode.split('.').map(Number);
  const isNewEnough =
    Number(major) > Number(oldestMajor) ||
    (Number(major) === Number(oldestMajor) && Number(minor) >= Number(oldestMinor));
  if (isNewEnough) return null;
  return `parcel-monitor: Node ${oldestNode} or newer is needed and this is Node ${version}; install a newer Node, or run "npm ci && npm start" in a clone of the project, which brings its own Node.`;
}
