import { Input, Select } from 'antd';
import { lazy, useMemo, useState } from 'react';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { send } from '#kernel/web/http/client.ts';
import { refresh, useData, useList } from '#kernel/web/http/queries.ts';
import { toast } from '#kernel/web/feedback/toast.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import type { Column } from '#kernel/web/kit/columns.ts';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { hospitalLevels, qualityIssues } from '../../contract/dictionaries.ts';
import {
  modifyHospital,
  queryHospitalCounts,
  queryHospitalDetail,
  queryHospitalList,
  type HospitalRow,
} from '../../contract/hospitalCalls.ts';
import { institutionPermissions as may } from '../../contract/permissions.ts';
import { score } from '../hospitals/columns.tsx';
import { factsOf } from './hospitalFacts.ts';

const DepartmentDrawer = lazy(async () => ({ default: (await import('./DepartmentDrawer.tsx')).DepartmentDrawer }));
const EditHospitalForm = lazy(async () => ({ default: (await import('./HospitalForm.tsx')).EditHospitalForm }));

type Issue = (typeof qualityIssues.codes)[number];
/** Facts that can be filled in the table itself. */
const inline: Partial<Record<Issue, { key: 'uscc' | 'phone' | 'licenceNo' | 'level'; label: string }>> = {
  NO_USCC: { key: 'uscc', label: '统一社会信用代码' },
  NO_PHONE: { key: 'phone', label: '电话' },
  NO_LICENCE: { key: 'licenceNo', label: '许可证号' },
  NO_LEVEL: { key: 'level', label: '等级' },
};

function InlineCell({ row, field }: { row: HospitalRow; field: NonNullable<(typeof inline)[Issue]> }) {
  const [value, setValue] = useState('');
  const save = async (text: string) => {
    if (text.trim() === '') return;
    try {
      const hospital = await send(queryHospitalDetail, { hospitalId: row.id });
      await send(modifyHospital, { id: row.id, version: hospital.version, ...factsOf({ ...hospital, [field.key]: text.trim() }) });
    } catch {
      // The error law has told it; what was typed stays in the cell.
      return;
    }
    toast('修改成功!');
    void refresh(queryHospitalList, queryHospitalCounts);
  };
  const later = useDebouncedCallback(save, 'save');
  if (field.key === 'level')
    return (
      <Select
        size="small"
        className="kq-wide"
        placeholder="选择等级"
        options={hospitalLevels.options
          .filter(({ value: code }) => code !== 'L0')
          .map(({ value: code, label }) => ({ value: code, label }))}
        onChange={(code: string) => later(code)}
      />
    );
  return (
    <Input
      size="small"
      value={value}
      placeholder={`填写${field.label}`}
      onClick={(event) => event.stopPropagation()}
      onChange={(event) => setValue(event.target.value)}
      onBlur={() => later(value)}
      onPressEnter={() => later(value)}
    />
  );
}

/** Tab 数据质量: what is missing, how often, and a place to fill it. */
export function Quality() {
  const allowed = useMay();
  const [issue, setIssue] = useState<Issue>('NO_COORDINATES');
  const [pageNo, setPageNo] = useState(1);
  const layers = useLayers();
  const mend = (row: HospitalRow) =>
    layers.open((close) =>
      issue === 'NO_DEPARTMENT' ? (
        <DepartmentDrawer hospital={row} onClose={close} />
      ) : (
        <EditHospitalForm hospitalId={row.id} onClose={close} />
      ),
    );
  const counts = useData(queryHospitalCounts, {}, { quiet: true });
  const list = useList(queryHospitalList, { issue: [issue], pageNo, pageSize: 20 }, { quiet: true });
  const field = inline[issue];
  const mayEdit = allowed(may['hospital.edit']);
  const columns = useMemo(
    (): Column<HospitalRow>[] => [
      { key: 'hospitalNo', title: '医院编号', width: 170 },
      { key: 'name', title: '名称', width: 260 },
      ...(field && mayEdit
        ? [
            {
              key: 'fill',
              title: field.label,
              width: 220,
              kind: 'custom' as const,
              render: (row: HospitalRow) => <InlineCell key={`${row.id}:${issue}`} row={row} field={field} />,
            },
          ]
        : []),
      { key: 'level', title: '等级', kind: 'custom', width: 110, render: (row) => <Dict of={hospitalLevels} code={row.level} /> },
      { key: 'region', title: '地区', width: 190 },
      { key: 'address', title: '地址', width: 220 },
      { key: 'qualityScoreBp', title: '数据质量', width: 90, value: (row) => score(row.qualityScoreBp) },
    ],
    [field, issue, mayEdit],
  );
  return (
    <div className="kq-list">
      <div className="in-cards">
        {!counts.data && <Waiting for={counts} />}
        {(counts.data?.issueCounts ?? []).map((card) => (
          <button
            key={card.issue}
            type="button"
            className={card.issue === issue ? 'in-card in-card-on' : 'in-card'}
            onClick={() => {
              setIssue(card.issue);
              setPageNo(1);
            }}
          >
            {qualityIssues.label(card.issue)}
            <b>{card.count}</b>
          </button>
        ))}
      </div>
      <DataTable<HospitalRow>
        columns={columns}
        rows={list.rows}
        loading={list.fetching}
        error={list.error}
        onRetry={() => void list.refetch()}
        empty="没有这类问题"
        actionWidth={80}
        actions={[{ label: issue === 'NO_DEPARTMENT' ? '科室' : '编辑', permission: may['hospital.edit'], act: mend }]}
        paging={{ pageNo, pageSize: 20, total: list.total, onChange: setPageNo }}
      />
      {layers.shown}
    </div>
  );
}
