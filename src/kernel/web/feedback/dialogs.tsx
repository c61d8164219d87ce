import type { ReactNode } from 'react';
import type { Fact } from '../kit/fact.ts';
import { toast } from './toast.ts';

/** Dialogs are 30 % wide and titled 提示 unless the page says more (specification section 9). */
export const DIALOG_WIDTH = '30%';
export const DIALOG_TITLE = '提示';

export interface Question {
  title?: string;
  content: ReactNode;
  /** What is decided about, below the sentence: number, count, amount, for whom (`detail/factsIn.tsx`). */
  facts?: readonly Fact[];
  ok?: string;
  cancel?: string;
  danger?: boolean;
  width?: number | string;
}

/** A question that waits in the queue. */
export interface Open extends Question {
  id: number;
  label?: string;
  opinion?: 'required' | 'optional';
  /** A second way beside 确定; to close the question is neither. */
  other?: string | null;
  answer(value: string | null): void;
}

/** Answer of a question whose other way was taken. */
export const OTHER = 'other';

interface Choice extends Omit<Question, 'cancel'> {
  /** The button of the other way; absent or null: there is none. */
  other?: string | null;
}

interface Reason extends Question {
  /** Label of the text field; default 意见. */
  label?: string;
  /** `optional` lets the operator leave it empty. */
  opinion?: 'required' | 'optional';
}

interface Opinion extends Reason {
  /** Whoever gives an opinion sees what it is about. */
  facts: readonly Fact[];
}

/** What the root component provides: where questions appear; null when one was closed. */
type DialogPlace = (question: Omit<Open, 'id' | 'answer'>) => Promise<string | null>;

let place: DialogPlace | undefined;
export const provideDialogs = (given: DialogPlace): void => void (place = given);

/** Asks yes or no; true on 确定. */
export const ask = async (question: Question): Promise<boolean> => ((await place?.(question)) ?? null) !== null;

/** Asks which of two ways; null when the question was closed: nothing is decided. */
export async function choose({ other = null, ...question }: Choice): Promise<'ok' | 'other' | null> {
  const answer = (await place?.({ ...question, other })) ?? null;
  return answer === null ? null : answer === OTHER ? 'other' : 'ok';
}

/** Asks for the opinion (reason) that an act demands, over the facts that it decides about; null when cancelled. */
export const confirmWithOpinion = async (question: Opinion): Promise<string | null> =>
  (await place?.({ opinion: 'required', ...question })) ?? null;

/** Asks why somebody looks at what is kept from him: nothing is decided; null when cancelled. */
export const askReason = async (question: Reason): Promise<string | null> => (await place?.({ opinion: 'required', ...question })) ?? null;

/**
 * The specification's deletion question; cancelling toasts `已取消删除`.
 * @param what what is deleted, by its kind and name: `角色“审核员”`
 * @param goes what goes with it, in a line below; null: nothing to say
 */
export async function confirmDelete(what: string, goes: readonly (string | null)[] = []): Promise<boolean> {
  const content = (
    <>
      <p>此操作将永久删除该文件, 是否继续?</p>
      <p className="kq-muted">{[`将删除${what}`, ...goes.filter((one) => one !== null)].join('，')}。</p>
    </>
  );
  const yes = await ask({ content, ok: '确定', cancel: '取消' });
  if (!yes) toast('已取消删除', 'info');
  return yes;
}
