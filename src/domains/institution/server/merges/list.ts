import { containsPattern } from '#kernel/server/database/search.ts';
import type { OutputOf } from '#kernel/contract/call.ts';
import { scopeFilter } from '#kernel/server/auth/scope.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import type { Db } from '#kernel/server/context.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { exportMergeHospitalList, queryMergeHospitalList } from '../../contract/duplicateCalls.ts';
import { hospitalScope } from '../access.ts';
import { own } from '../database.ts';

export const mergesSeen = (db: Db, staff: Viewer) =>
  own(db)
    .selectFrom('institutionHospitalMerge as m')
    .innerJoin('institutionHospital as h', 'h.id', 'm.survivorId')
    .innerJoin('institutionHospital as l', 'l.id', 'm.loserId')
    .where(scopeFilter(hospitalScope, staff));

const selected = (rows: ReturnType<typeof mergesSeen>) =>
  rows.select([
    'm.id',
    'm.mergeNo',
    'm.survivorId',
    'h.name as survivorName',
    'm.loserId',
    'l.name as loserName',
    'm.reason',
    'm.usccDiffers',
    'm.makerId',
    'm.makerName',
    'm.checkerName',
    'm.state',
    'm.createdAt',
    'm.doneAt',
    'm.undoneAt',
    'm.version',
  ]);
type Selected = Awaited<ReturnType<ReturnType<typeof selected>['executeTakeFirstOrThrow']>>;
const present = ({ makerId, ...row }: Selected, staff: Viewer): OutputOf<typeof queryMergeHospitalList> => ({
  ...row,
  mine: makerId === staff.userId,
});

export const mergeList = listOf(queryMergeHospitalList)
  .from(({ db, staff }) => mergesSeen(db, staff))
  .with({
    where: {
      keyword: (eb, keyword) =>
        eb.or([
          eb('m.mergeNo', '=', keyword.toUpperCase()),
          eb('h.name', 'ilike', containsPattern(keyword)),
          eb('l.name', 'ilike', containsPattern(keyword)),
        ]),
      state: 'm.state',
    },
    id: 'm.id',
    sorts: { mergeNo: 'm.mergeNo', createdAt: 'm.createdAt', doneAt: 'm.doneAt' },
    bounded: 'hospitals are merged by hand: some hundreds',
    select: selected,
    present: (rows, { staff }) => rows.map((row) => present(row, staff)),
  });

/** One merge as the list shows it. */
export const mergeAnswer = async (db: Db, mergeId: string, staff: Viewer) =>
  present(await selected(mergesSeen(db, staff)).where('m.id', '=', mergeId).executeTakeFirstOrThrow(), staff);

export const mergeExport = listExport(mergeList, {
  call: exportMergeHospitalList,
  title: '医院合并记录',
  routeKey: 'hospitalManagementMaintenance',
  columns: ['mergeNo', 'loserName', 'survivorName', 'reason', 'makerName', 'createdAt', 'checkerName', 'doneAt', 'undoneAt', 'state'],
});
