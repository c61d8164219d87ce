import type { Call, InputOf } from '../../contract/call.ts';
import { send } from '../http/client.ts';

/** Where a business number leads: the list that is searched by it. */
export interface NumberPlace {
  /** Letters that the number begins with. */
  prefix: string;
  /** What it is the number of: 保单. */
  what: string;
  /** The page of the list; only who may open it is led there. */
  path: string;
  /** Its address, narrowed to the number. */
  search(no: string): Readonly<Record<string, string>>;
  /** How many records of this number the person may see. */
  count(no: string): Promise<number>;
  list: Call;
  by: string;
}

/** Where on the page the list stands. */
interface Place {
  path: string;
  tab?: string;
}

/** `numberPlace('BD', '保单', queryPolicyList, 'platformNo', { path: '/policyManage' })`; permission and scope are those of the list. */
export const numberPlace = <C extends Call>(
  prefix: string,
  what: string,
  list: C,
  by: keyof InputOf<C> & string,
  { path, tab }: Place,
): NumberPlace => ({
  prefix,
  what,
  path,
  list,
  by,
  search: (no) => ({ ...(tab !== undefined && { tab }), [by]: no }),
  async count(no) {
    const { total } = (await send(list, { [by]: no, pageNo: 1, pageSize: 1 } as InputOf<C>, { quiet: true })) as { total: number };
    return total;
  },
});

/** A number as it is typed or pasted: two letters, the day, as many of the rest as one knows. */
export const numberIn = (text: string): string | null => /^[A-Z]{2}\d{6,}$/.exec(text.normalize('NFKC').trim().toUpperCase())?.[0] ?? null;
