import type { Column } from '#kernel/web/kit/columns.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { columnsOf } from '#kernel/web/list/columnsOf.ts';
import { querySpecialUserDetail, type OtherMark } from '../../contract/calls/marks.ts';

const columns: readonly Column<OtherMark>[] = columnsOf<OtherMark>(querySpecialUserDetail.output.shape.others.def.element, [
  'markType',
  'productNames',
  { key: 'startDate', title: '有效期', width: 190, value: ({ startDate, endDate }) => `${startDate}至${endDate}` },
  'reason',
  'makerName',
  'checkerName',
  'state',
]);

/** Marks of one person. */
export const OtherMarks = ({ rows, empty }: { rows: readonly OtherMark[]; empty: string }) => (
  <DataTable rows={rows} columns={columns} rowKey="id" empty={empty} />
);
