import { otherAddressId, readAddress, type TypedAddress } from '../../board/setup/service-choices.ts';
import type { Board } from '../app/board.ts';
import { editOf } from '../field/text-edit.ts';
import { showMessage } from '../footer/messages.ts';
import { conversationOf } from './conversation.ts';
import { withSetup } from './state.ts';
import { withLeft } from './walk.ts';

const isAddressLike = (read: TypedAddress): boolean => read.kind !== 'unusable' || read.proposal !== null;

/**
 * Takes a paste where one chooses. An address is meant as one. Anything else is not put elsewhere: it may be the key, which
 * nobody is to see. Answers whether it was taken; behind the questions for the service it may be numbers.
 */
export function takePasteWhereOneChooses(board: Board, text: string): boolean {
  const talk = conversationOf(board);
  if (talk === null) return false;
  const { effects, setup } = talk;
  if (setup.step === 'notify' || setup.step === 'numbers') return false;
  const isAddress = /^https?:/i.test(text.trim()) && isAddressLike(readAddress(text, effects.knownServices));
  if (setup.step === 'service' && isAddress) {
    board.change(
      withSetup(({ fields, left }) => ({
        left: withLeft(left, { step: 'service', openLine: null, chosen: otherAddressId }),
        openLine: 'url',
        fields: { ...fields, url: editOf(text.trim()) },
        notes: [],
      })),
    );
  } else {
    showMessage(board, 'Nothing is typed here. Enter takes what is selected.');
  }
  return true;
}
