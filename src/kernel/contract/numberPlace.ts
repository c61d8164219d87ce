import type { Call, InputOf } from './call.ts';

/** Where a business number leads: the list that is searched by it. */
export interface NumberPlace {
  /** Letters that the number begins with. */
  prefix: string;
  /** What it is the number of: 保单. */
  what: string;
  list: Call;
  /** Field of the list's input that takes the number. */
  by: string;
  /** The page of the list; only who may open it is led there. */
  path: string;
  /** Part of the page in which the list stands. */
  tab?: string;
}

/** `numberPlace('BD', '保单', queryPolicyList, 'platformNo', { path: '/policyManage' })`; permission and scope are those of the list. */
export const numberPlace = <C extends Call>(
  prefix: string,
  what: string,
  list: C,
  by: keyof InputOf<C> & string,
  page: Pick<NumberPlace, 'path' | 'tab'>,
): NumberPlace => ({ prefix, what, list, by, ...page });

/** A number as it is typed or pasted: two letters, the day, as many of the rest as one knows. */
export const numberIn = (text: string): string | null => /^[A-Z]{2}\d{6,}$/.exec(text.normalize('NFKC').trim().toUpperCase())?.[0] ?? null;
