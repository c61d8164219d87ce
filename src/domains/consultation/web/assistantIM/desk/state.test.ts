import { expect, test } from 'vitest';
import { movesInquiry } from './state.ts';
import { freshChat } from './state.ts';

const here = 'GROUPYH10000001';
const open = (serverStatus: string | null) => ({
  ...freshChat({ conversationID: here, mode: 'MEMBER', switchNo: 1 }, null),
  ...(serverStatus && { sections: { inquiry: { state: 'ready' as const, data: { serverStatus } } } }),
});
const says = (from: string, conversationID: 'GROUPYH10000001' | 'GROUPYH10000002' = here) => [{ conversationID, from }];

test.each([
  ['a step that the service tells of', open('1'), says('SYSTEM'), true],
  ['an answer of the doctor', open('2'), says('D34'), true],
  ['a patient who goes on after a requested end', open('3'), says('P12'), true],
  ['a patient in the middle of it', open('2'), says('P12'), false],
  ['a colleague', open('3'), says('A7'), false],
  ['another conversation', open('1'), says('SYSTEM', 'GROUPYH10000002'), false],
  ['before the panel asked for it', open(null), says('SYSTEM'), false],
  ['nothing open', null, says('SYSTEM'), false],
])('%s', (_name, chat, messages, moves) => expect(movesInquiry(chat, messages)).toBe(moves));
