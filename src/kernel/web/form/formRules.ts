import { yuan } from '../../contract/money.ts';

// Rules of a form's field that the contract cannot hold, by the reason why. Everything else is declared on the schema of the call (`coded`,
// `between`, `ordered` of `kernel/contract/between.ts`), which form and server both ask; `src/testing/house.test.ts` lists who uses these.

/** What is wrong with a value, in Chinese; null: nothing. */
type FaultOf<T> = (value: T) => string | null | Promise<string | null>;

const ruleOf = <T>(faultOf: FaultOf<T>) => ({
  validator: async (_rule: unknown, value: T): Promise<void> => {
    const fault = await faultOf(value);
    if (fault !== null) throw new Error(fault);
  },
});

/** The stored record decides: its present end, its price band, what is left on it. The server refuses it when it has locked the record. */
export const againstRecord = <T>(faultOf: FaultOf<T>) => ruleOf(faultOf);

/** No more than there is: it is refused where it was typed, and not made smaller behind the operator's back. */
export const atMost = (label: string, fen: number) =>
  againstRecord((value: number | null | undefined) =>
    typeof value === 'number' && value > fen ? `${label}不能大于${yuan(fen, true)}元` : null,
  );

/** What the server listed for the page decides: variables with their kinds, words of a dictionary that operators keep. */
export const againstListed = <T>(faultOf: FaultOf<T>) => ruleOf(faultOf);

/** The time now decides, and the server's is the one that counts. */
export const againstNow = <T>(faultOf: FaultOf<T>) => ruleOf(faultOf);

/** The form holds the value otherwise than the call takes it: rows that are still drafts, numbers pasted as one text. */
export const asHeld = <T>(faultOf: FaultOf<T>) => ruleOf(faultOf);
