import { lazy } from 'react';
import { showRate } from '#kernel/web/kit/values.tsx';
import { titles } from '../../contract/dictionaries.ts';

// What a click opens on the lists is loaded by that click.
export const OpeningDetail = lazy(async () => ({ default: (await import('./OpeningDetail.tsx')).OpeningDetail }));
export const OpenForm = lazy(async () => ({ default: (await import('./OpenForm.tsx')).OpenForm }));
export const PriceForm = lazy(async () => ({ default: (await import('./PriceForm.tsx')).PriceForm }));
export const SlotForm = lazy(async () => ({ default: (await import('./SlotForm.tsx')).SlotForm }));

/** Beyond a fifth it takes an audit. */
const FAR_BP = 2_000;
export function Deviation({ bp, title }: { bp: number | null; title: string }) {
  const far = bp !== null && Math.abs(bp) > FAR_BP;
  return (
    <span className={far ? 'kq-danger kq-number' : 'kq-number'} title={title}>
      {bp !== null && bp > 0 ? '+' : ''}
      {showRate(bp)}
    </span>
  );
}

interface DoctorCellProps {
  row: { doctorName: string; doctorNo: string; titleCode: string | null };
}
const titleOf = ({ titleCode }: DoctorCellProps['row']) => (titleCode === null ? '' : titles.label(titleCode));
/** What the cell of a doctor shows, for the width of its column. */
export const doctorText = (row: DoctorCellProps['row']): string => `${row.doctorName} ${titleOf(row)}`;
export const DoctorCell = ({ row }: DoctorCellProps) => (
  <span title={`${row.doctorName} ${row.doctorNo}`}>
    {row.doctorName} <span className="kq-muted">{titleOf(row)}</span>
  </span>
);
