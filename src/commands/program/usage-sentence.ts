/** Commander's complaint as one sentence of ours, which names the help of `command` (with the program's name). */
export function usageSentence(text: string, command: string): string {
  const sentence = text
    .replace(/^error: /, '')
    .trim()
    .replaceAll('\n', ' ');
  const stop = sentence.endsWith('.') ? '' : '.';
  return `parcel-monitor: ${sentence[0]?.toUpperCase() ?? ''}${sentence.slice(1)}${stop} See "${command} --help".\n`;
}
