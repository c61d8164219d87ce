import type { InputOf } from '#kernel/contract/call.ts';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import type { addManualOrder } from '../../contract/calls/manualOrders.ts';

type Wish = InputOf<typeof addManualOrder>;
export interface LineValues {
  goodsCode?: string | null;
  quantity?: number | null;
  unitPriceFen?: number | null;
}
/** A manual order as its form holds it. */
export interface ManualValues extends Omit<Wish, 'attachmentFileIds' | 'lines'> {
  lines: LineValues[];
  attachmentFileIds?: readonly UploadedFile[];
}

export const goodsFenOf = (lines: readonly (LineValues | undefined)[] | undefined): number =>
  (lines ?? []).reduce((sum, line) => sum + (line?.quantity ?? 0) * (line?.unitPriceFen ?? 0), 0);

/** What neither insurer nor card pays is paid in cash. */
export const selfPayOf = ({ lines, benefitFen, cardFen }: Partial<ManualValues>): number =>
  Math.max(0, goodsFenOf(lines) - (benefitFen ?? 0) - (cardFen ?? 0));

/** The values as calls take them; a line that was not filled in stays, so that its fields are refused by name. */
export const linesIn = (lines: readonly LineValues[]) =>
  lines.map(({ goodsCode, quantity, unitPriceFen }) => ({
    goodsCode: goodsCode ?? '',
    quantity: quantity ?? 0,
    unitPriceFen: unitPriceFen ?? 0,
  }));
