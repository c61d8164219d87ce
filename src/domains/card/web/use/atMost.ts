import { yuan } from '../../../../kernel/contract/money.ts';

/** An amount above what there is is refused where it was typed: it is not made smaller behind the operator's back. */
export const atMost = (label: string, fen: number) => ({
  validator: async (_rule: unknown, value: number | null | undefined): Promise<void> => {
    if (typeof value === 'number' && value > fen) throw new Error(`${label}不能大于${yuan(fen, true)}元`);
  },
});
