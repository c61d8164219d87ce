import { frequencies } from '../../contract/dictionaries.ts';
import type { IndicatorOut, InspectionRow, Medicine, OrderRow, SuggestionRow } from '../../contract/modules.ts';

/** How a medicine is taken: 每次80mg 每日一次 口服 28天 共2盒. */
export const usage = (one: Medicine): string => `每次${one.dose}　${frequencies.label(one.frequency)}　${one.route}`;
export const amount = (one: Medicine): string => `${one.days}天　共${one.quantity}${one.unit}`;
export const medicineNames = (row: SuggestionRow): string => row.medicines.map(({ medicineName }) => medicineName).join('、');
export const orderLines = (row: OrderRow): string => row.lines.map((line) => `${line.medicineName}×${line.qty}`).join('、');
export const ARROWS = { L: '↓', H: '↑', C: '‼', N: '' } as const;
export const reference = (one: Pick<IndicatorOut, 'refLow' | 'refHigh'>): string =>
  one.refLow === null && one.refHigh === null
    ? ''
    : one.refLow === null
      ? `≤${one.refHigh}`
      : one.refHigh === null
        ? `≥${one.refLow}`
        : `${one.refLow}～${one.refHigh}`;
/** Units as reports print them. */
export const unitText = (unit: string): string => unit.replace('10^9/L', '×10⁹/L');
export const indicatorText = (one: IndicatorOut): string => `${one.name} ${one.value} ${unitText(one.unit)}${ARROWS[one.flag]}`;
export const abnormalFirst = (row: InspectionRow): IndicatorOut[] =>
  [...row.indicators].sort((a, b) => Number(a.flag === 'N') - Number(b.flag === 'N'));
