import { Tag } from 'antd';
import type { Column } from '../../../../kernel/web/kit/columns.ts';
import { resource } from '../../../../kernel/web/list/ResourceList.tsx';
import type { Filter } from '../../../../kernel/web/list/filters.ts';
import type { InputOf } from '../../../../kernel/contract/call.ts';
import { hospitalKinds, hospitalLevels, hospitalSources, ownerships, qualityIssues } from '../../contract/dictionaries.ts';
import { hospitalLabels, queryHospitalList, type HospitalRow } from '../../contract/hospitalCalls.ts';
import { hospitalMachine } from '../../contract/states.ts';
import '../shared/institution.css';

type Input = InputOf<typeof queryHospitalList>;
const shared: readonly Filter<Input>[] = [
  { kind: 'text', name: 'keyword', label: '关键字', placeholder: '名称、别名、拼音首字母', maxLength: 50 },
  { kind: 'dict', name: 'level', label: '等级', dictionary: hospitalLevels, several: true },
  { kind: 'dict', name: 'kind', label: '类型', dictionary: hospitalKinds, several: true },
  { kind: 'dict', name: 'ownership', label: '性质', dictionary: ownerships },
  { kind: 'region', name: 'adcode', label: '地区' },
  { kind: 'dict', name: 'state', label: '状态', dictionary: hospitalMachine.dictionary, several: true },
];
const name: Column<HospitalRow> = {
  key: 'name',
  title: '名称',
  width: 260,
  required: true,
  kind: 'custom',
  render: (row) =>
    row.parentId ? (
      <span className="in-campus" title={row.name}>
        └ {row.name}
      </span>
    ) : (
      <span title={row.name}>{row.name}</span>
    ),
};
const facts: readonly Column<HospitalRow>[] = [
  { key: 'hospitalNo', title: '医院编号', width: 160 },
  name,
  { key: 'level', title: hospitalLabels.level, kind: 'dict', dictionary: hospitalLevels },
  { key: 'kind', title: hospitalLabels.kind, kind: 'dict', dictionary: hospitalKinds, plain: true, width: 110 },
  { key: 'region', title: '地区', width: 190 },
  { key: 'address', title: hospitalLabels.address, width: 220 },
  { key: 'phone', title: hospitalLabels.phone, width: 130 },
  { key: 'departmentCount', title: '科室数', kind: 'number', width: 80 },
  { key: 'doctorCount', title: '医生数', kind: 'number', width: 80 },
];
const state: Column<HospitalRow> = { key: 'state', title: '状态', kind: 'dict', dictionary: hospitalMachine.dictionary, width: 80 };

export const score = (bp: number) => `${Math.round(bp / 100)}分`;

/** The directory for all staff. */
export const directory = resource(queryHospitalList, {
  routeKey: 'hospitalList',
  columns: [
    ...facts,
    state,
    { key: 'ownership', title: hospitalLabels.ownership, kind: 'dict', dictionary: ownerships, plain: true, hidden: true },
    { key: 'uscc', title: hospitalLabels.uscc, width: 190, hidden: true },
  ],
  filters: [...shared, { kind: 'flag', name: 'hasDoctors', label: '有无医生' }],
  empty: '没有符合条件的医院',
});

/** The workbench of data keepers. */
export const maintained = resource(queryHospitalList, {
  routeKey: 'hospitalManagementMaintenance',
  columns: [
    ...facts,
    {
      key: 'qualityScoreBp',
      title: '数据质量',
      width: 200,
      kind: 'custom',
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
    { key: 'aliasCount', title: '别名数', kind: 'number', width: 80 },
    state,
    { key: 'updatedBy', title: '更新人', width: 100 },
    { key: 'updatedAt', title: '更新时间', kind: 'time' },
    { key: 'source', title: '来源', kind: 'dict', dictionary: hospitalSources, plain: true, hidden: true },
  ],
  filters: [
    ...shared,
    { kind: 'text', name: 'hospitalNo', label: '医院编号', maxLength: 30 },
    { kind: 'text', name: 'uscc', label: '信用代码', maxLength: 18 },
    { kind: 'dict', name: 'issue', label: '质量问题', dictionary: qualityIssues, several: true },
    { kind: 'dict', name: 'source', label: '来源', dictionary: hospitalSources },
    { kind: 'flag', name: 'hasCoordinates', label: '有无坐标' },
    { kind: 'instants', names: ['updatedFrom', 'updatedTo'], label: '更新时间' },
  ],
  empty: '没有符合条件的医院，点击“新增医院”或“导入”创建',
});
