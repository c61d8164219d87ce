import { Tag } from 'antd';
import type { ColumnChoice } from '#kernel/web/list/columnsOf.ts';
import { resource } from '#kernel/web/list/ResourceList.tsx';
import type { FilterChoice } from '#kernel/web/list/filtersOf.ts';
import type { InputOf } from '#kernel/contract/call.ts';
import { qualityIssues } from '../../contract/dictionaries.ts';
import { queryHospitalList, type HospitalRow } from '../../contract/hospitalCalls.ts';
import '../shared/institution.css';

type Input = InputOf<typeof queryHospitalList>;
const shared: readonly FilterChoice<Input>[] = [
  { name: 'keyword', placeholder: '名称、别名、拼音首字母' },
  'level',
  'kind',
  'ownership',
  { kind: 'region', name: 'adcode' },
  'state',
];
const name: ColumnChoice<HospitalRow> = {
  key: 'name',
  required: true,
  render: (row) =>
    row.parentId ? (
      <span className="in-campus" title={row.name}>
        └ {row.name}
      </span>
    ) : (
      <span title={row.name}>{row.name}</span>
    ),
};
const facts: readonly ColumnChoice<HospitalRow>[] = [
  'hospitalNo',
  name,
  'level',
  { key: 'kind', plain: true },
  'region',
  'address',
  'phone',
  'departmentCount',
  'doctorCount',
];

export const score = (bp: number) => `${Math.round(bp / 100)}分`;

/** The directory for all staff. */
export const directory = resource(queryHospitalList, {
  routeKey: 'hospitalList',
  columns: [...facts, 'state', { key: 'ownership', plain: true, hidden: true }, { key: 'uscc', hidden: true }],
  filters: [...shared, 'hasDoctors'],
  empty: '没有符合条件的医院',
});

/** The workbench of data keepers. */
export const maintained = resource(queryHospitalList, {
  routeKey: 'hospitalManagementMaintenance',
  columns: [
    ...facts,
    {
      key: 'qualityScoreBp',
      width: 200,
      render: (row) => (
        <span className="in-tags">
          <b className="kq-number">{score(row.qualityScoreBp)}</b>
          {row.qualityIssues.slice(0, 2).map((issue) => (
            <Tag key={issue} color={qualityIssues.tone(issue)} variant="filled">
              {qualityIssues.label(issue)}
            </Tag>
          ))}
          {row.qualityIssues.length > 2 && (
            <span className="kq-muted" title={row.qualityIssues.map((issue) => qualityIssues.label(issue)).join('、')}>
              +{row.qualityIssues.length - 2}
            </span>
          )}
        </span>
      ),
    },
    'aliasCount',
    'state',
    'updatedBy',
    'updatedAt',
    { key: 'source', plain: true, hidden: true },
  ],
  filters: [
    ...shared,
    'hospitalNo',
    'uscc',
    'issue',
    'source',
    'hasCoordinates',
    { kind: 'instants', names: ['updatedFrom', 'updatedTo'], label: '更新时间' },
  ],
  empty: '没有符合条件的医院，点击“新增医院”或“导入”创建',
});
