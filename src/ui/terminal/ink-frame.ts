/** A frame as Ink means it. */
export interface InkFrame {
  /** The rows from the top of the window; null where only the cursor moves. */
  readonly rows: readonly string[] | null;
  /** How many rows above the frame's last line the cursor stands, and in which cell; null where it is hidden. */
  readonly cursor: { readonly up: number; readonly column: number } | null;
}

/** What Ink writes before a frame: it hides the cursor, goes down to the last row, and erases upwards what it drew before. */
const beforeFrame =
  /^(?:\u001b\[\?25l)*(?:(?:\u001b\[\d+B)?\u001b\[1?G)?(?:(?:\u001b\[2K(?:\u001b\[1A)?)+\u001b\[G|\u001b\[1;1H\u001b\[J)?/;
/** And behind it: it goes up to the cursor's row, and shows the cursor or leaves it hidden. */
const behindFrame = /(?:(?:\u001b\[(\d+)A)?\u001b\[(\d+)G\u001b\[\?25h|\u001b\[\?25l)$/;
/** What erases a frame of Ink's for good. */
const erasing = /^(?:\u001b\[\?25l)?(?:(?:\u001b\[2K(?:\u001b\[1A)?)+\u001b\[G|(?:\u001b\[\d+A)?\u001b\[1?G\u001b\[J)$/;

/** Whether Ink erases its last frame with this. */
export const erasesFrame = (text: string): boolean => erasing.test(text);

/** Reads what Ink writes for one frame, its incremental rendering being off: the whole text each time. */
export function readInkFrame(written: string): InkFrame {
  const shown = behindFrame.exec(written);
  const cursor = shown?.[2] === undefined ? null : { up: Number(shown[1] ?? 0), column: Number(shown[2]) - 1 };
  const text = written.slice(0, shown?.index ?? written.length).replace(beforeFrame, '');
  return { rows: text === '' ? null : text.split('\n'), cursor };
}
