import {
  headerProblem,
  otherAddressId,
  readAddress,
  sandboxId,
  type TypedAddress,
} from '../../board/setup/service-choices.ts';
import { messageOf } from '../../service/failures/thrown.ts';
import { isSameAddress } from '../../service/http/base-url.ts';
import { defaultKeyHeader } from '../../service/operations.ts';
import { editOf } from '../field/text-edit.ts';
import { showMessage } from '../footer/messages.ts';
import { notSettingUp, type SetupBoard, serviceOf, withSetup } from './state.ts';
import { type Conversation, complain, conversationOf, goOn, withLeft } from './walk.ts';

/** Takes which service it is, or the address of one. */
export function answerService(talk: Conversation): void {
  const { effects, setup, shown } = talk;
  if (setup.openLine !== null) {
    answerAddress(talk);
    return;
  }
  const id = shown.selected?.id ?? null;
  if (id === sandboxId) lookAround(talk);
  else if (id === otherAddressId) openAddress(talk);
  else if (id !== null && effects.knownServices.some(({ profile }) => profile === id))
    goOn(talk, { service: { kind: 'profile', profile: id } });
}

/** Opens the line for another address, with the one that is set. */
export function openAddress({ board, setup }: Conversation): void {
  const set = serviceOf(setup);
  const { url } = setup.fields;
  const prefilled = url.text === '' && set?.kind === 'base-url' ? editOf(set.baseUrl) : url;
  board.change(
    withSetup(({ fields, left }) => ({
      left: withLeft(left, { step: 'service', openLine: null, chosen: otherAddressId }),
      openLine: 'url',
      fields: { ...fields, url: prefilled },
      notes: [],
      offset: null,
    })),
  );
}

function answerAddress(talk: Conversation): void {
  const { board, effects, setup } = talk;
  const address = readAddress(setup.fields.url.text, effects.knownServices);
  if (address.kind === 'unusable') {
    const { problem, proposal } = address;
    if (proposal !== null) {
      board.change(withSetup(({ fields }) => ({ fields: { ...fields, url: editOf(proposal) }, offset: null })));
    }
    complain(talk, problem);
    return;
  }
  if (address.kind === 'known') {
    goOn(talk, { service: { kind: 'profile', profile: address.profile } });
    return;
  }
  const { baseUrl } = address;
  if (setup.openLine === 'url') {
    const set = setup.now?.service;
    const typed = setup.fields.header.text;
    const isSet = set?.kind === 'base-url' && isSameAddress(set.baseUrl, baseUrl);
    const header = typed === '' && setup.service === null && isSet ? (set.header ?? '') : typed;
    board.change(
      withSetup(({ fields, left }) => ({
        left: withLeft(left, { step: 'service', openLine: 'url', chosen: null }),
        openLine: 'header',
        fields: { ...fields, header: editOf(header) },
        offset: null,
      })),
    );
    return;
  }
  const header = setup.fields.header.text.trim();
  const problem = header === '' ? null : headerProblem(header);
  if (problem !== null) complain(talk, problem);
  else goOn(talk, { service: { kind: 'base-url', baseUrl, header: usualAsNull(header) } });
}

/** The usual header is none of its own, so that naming it makes no other service. */
const usualAsNull = (header: string): string | null => (header === '' || header === defaultKeyHeader ? null : header);

function lookAround(talk: Conversation): void {
  const { board, effects } = talk;
  const { change } = board;
  change(withSetup({ busy: 'Starting the sandbox…', notes: [] }));
  effects.enterSandbox().then(
    () => {
      change({ ...notSettingUp, focus: 'list' });
      showMessage(board, 'This is the sandbox: nothing here is real.', { advice: 'C goes back.', shownMs: 30_000 });
    },
    (error: unknown) => change(withSetup({ busy: null, notes: [{ text: messageOf(error), tone: 'attention' }] })),
  );
}

const isAddressLike = (read: TypedAddress): boolean => read.kind !== 'unusable' || read.proposal !== null;

/**
 * Takes a paste where one chooses. An address is meant as one. Anything else is not put elsewhere: it may be the key, which
 * nobody is to see. Answers whether it was taken; behind the questions for the service it may be numbers.
 */
export function takePasteWhereOneChooses(board: SetupBoard, text: string): boolean {
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
