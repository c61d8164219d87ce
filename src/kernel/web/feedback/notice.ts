import { create } from 'zustand';
import { platformErrors } from '../../contract/errors.ts';
import { hearRefusals } from '../http/queries.ts';
import type { RefusalError } from '../http/refusal.ts';

const { CHANGED, WRONG_STATE, CONFLICT, BUSY } = platformErrors;
const OF_OTHERS: ReadonlySet<string> = new Set([CHANGED, WRONG_STATE, CONFLICT, BUSY].map(({ code }) => code));
const ACTS = /(?:已[被由]|正由|正在被|刚被).{0,40}?(?:修改|处理|审核|领取|接入|合并|锁定)/;

/** Whether a refusal tells what a colleague did or is doing: it stays until it is read. */
export const tellsOfOthers = ({ code, message }: Pick<RefusalError, 'code' | 'message'>): boolean =>
  OF_OTHERS.has(code) || ACTS.test(message);

/** What an act beside any form was refused with and is still to be read; null: nothing. */
export const useNotice = create<{ text: string | null }>(() => ({ text: null }));

export const notice = (text: string | null): void => {
  if (useNotice.getState().text !== text) useNotice.setState({ text });
};

hearRefusals((refusal) => {
  if (refusal === null || tellsOfOthers(refusal)) notice(refusal?.message ?? null);
});
