import type { EditedText } from '../keys/binding.ts';
import type { UiState } from '../state.ts';
import { type LineCommand, runLineCommand } from './line-editor.ts';

/** What changes when a command is done to the line that a context edits. */
export function lineEdited(ui: UiState, text: EditedText, command: LineCommand): Partial<UiState> {
  // What nobody may see comes into no other field.
  const isSecret = text.isSecret?.(ui) ?? false;
  const { edit, kills } = runLineCommand({ edit: text.read(ui), kills: isSecret ? [] : ui.kills }, command);
  return { ...text.write(ui, edit), ...(isSecret ? {} : { kills }) };
}
