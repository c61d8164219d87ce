import { exportSource, type ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { totalUpTo } from '../../../../kernel/server/http/paging.ts';
import { positions, titles } from '../../contract/dictionaries.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';
import { exportRecommendationList, type RecommendationRow } from '../../contract/recommendationCalls.ts';
import { recommendationMachine } from '../../contract/staffStates.ts';
import { own } from '../database.ts';
import { readRecommendations, recommendationQuery } from './list.ts';

const CHUNK = 500;
const columns: readonly ExportColumn<RecommendationRow>[] = [
  { key: 'position', label: '推荐位', dictionary: positions, value: (row) => row.position },
  { key: 'scopeName', label: '范围', width: 20, value: (row) => row.scopeName },
  { key: 'region', label: '地区', width: 24, value: (row) => row.region },
  { key: 'sort', label: '排序', kind: 'int', value: (row) => row.sort },
  { key: 'doctorNo', label: '医生编号', width: 20, value: (row) => row.doctorNo },
  { key: 'doctorName', label: '医生', value: (row) => row.doctorName },
  { key: 'titleCode', label: '职称', dictionary: titles, value: (row) => row.titleCode },
  { key: 'hospitalName', label: '医院', width: 30, value: (row) => row.hospitalName },
  { key: 'reason', label: '推荐语', width: 30, value: (row) => row.reason },
  { key: 'startAt', label: '开始时间', kind: 'instant', width: 20, value: (row) => row.startAt },
  { key: 'endAt', label: '结束时间', kind: 'instant', width: 20, value: (row) => row.endAt },
  { key: 'state', label: '状态', dictionary: recommendationMachine.dictionary, value: (row) => row.state },
  { key: 'offOpinion', label: '下架原因', width: 30, value: (row) => row.offOpinion },
];

export const recommendationExport = exportSource({
  call: exportRecommendationList,
  title: '医生推荐',
  routeKey: 'doctorManagement',
  permission: may['doctor.export'].code,
  columns,
  count: ({ db, staff, filter }) => totalUpTo(own(db), recommendationQuery(db, staff, filter)),
  async *chunks({ db, staff, filter }) {
    for (let offset = 0; ; offset += CHUNK) {
      // The positions hold a few hundred: pages by offset within one snapshot lose nothing.
      const rows = await readRecommendations({ db, has: () => false }, recommendationQuery(db, staff, filter), { limit: CHUNK, offset });
      if (rows.length === 0) return;
      yield rows;
    }
  },
});
