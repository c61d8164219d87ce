import { Select } from 'antd';
import { DayRangeInput } from '#kernel/web/form/DayRangeInput.tsx';
import { useState } from 'react';
import { plainText } from '#kernel/web/kit/plainText.ts';
import { send } from '#kernel/web/http/client.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { TableEmpty, TableFailure } from '#kernel/web/kit/TableState.tsx';
import { Dict, Time } from '#kernel/web/kit/values.tsx';
import { pageAt } from '#kernel/web/router/pages.ts';
import { queryPatientTrail, queryRecordAccessList } from '../../contract/calls/sufferer.ts';
import { accessKinds, revealFields } from '../../contract/dictionaries.ts';
import { MoreList } from '../shared/MoreList.tsx';
import { Section } from '../shared/Section.tsx';
import { STEP, useMore } from '../shared/useMore.ts';
import { useRecord } from './recordScope.ts';

type AccessKind = (typeof accessKinds.codes)[number];

function Accesses() {
  const { patientId } = useRecord();
  const [kind, setKind] = useState<AccessKind[]>([]);
  const [days, setDays] = useState<{ from?: string; to?: string }>({});
  const input = { patientId, ...(kind.length > 0 && { kind }), ...days };
  const list = useMore([queryRecordAccessList.name, input], (pageNo, signal) =>
    send(queryRecordAccessList, { ...input, pageNo, pageSize: STEP }, { signal, quiet: true }),
  );
  return (
    <Section title="查看记录">
      <div className="pa-toolbar">
        <Select<AccessKind[]>
          mode="multiple"
          size="small"
          style={{ minWidth: 220 }}
          placeholder="全部类型"
          aria-label="类型"
          allowClear
          value={kind}
          onChange={setKind}
          options={accessKinds.options.map(({ value, label }) => ({ value, label }))}
        />
        <DayRangeInput
          inline
          size="small"
          aria-label="日期"
          value={[days.from ?? null, days.to ?? null]}
          onChange={([from, to]) => setDays({ ...(from !== null && { from }), ...(to !== null && { to }) })}
        />
      </div>
      <MoreList list={list} empty="没有查看记录">
        {(rows) => (
          <table className="pa-grid">
            <thead>
              <tr>
                <th>时间</th>
                <th>人员</th>
                <th>角色</th>
                <th>类型</th>
                <th>内容</th>
                <th>原因</th>
                <th>来源页面</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id} data-row tabIndex={0}>
                  <td className="pa-nowrap">
                    <Time at={row.at} />
                  </td>
                  <td>{row.displayName}</td>
                  <td>{row.role}</td>
                  <td>
                    <Dict of={accessKinds} code={row.kind} />
                  </td>
                  <td>{row.fields.map((field) => revealFields.label(field)).join('、') || '—'}</td>
                  <td>{row.reason ?? '—'}</td>
                  <td>{row.fromPage === null ? '—' : (pageAt(row.fromPage)?.route.title ?? row.fromPage)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </MoreList>
    </Section>
  );
}

const shown = (value: unknown): string => plainText(value) || '—';

function Changes() {
  const { patientId } = useRecord();
  const { data, error, refetch } = useData(queryPatientTrail, { patientId }, { quiet: true });
  return (
    <Section title="变更与合并记录">
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !data?.length ? (
        <TableEmpty loading={!data}>没有变更记录</TableEmpty>
      ) : (
        <ol className="kq-timeline">
          {data.map((row) => (
            <li key={row.id}>
              <div>
                <b>{row.label}</b>
              </div>
              <div className="kq-muted">
                {row.displayName}
                {row.opNo && `（${row.opNo}）`} · <Time at={row.at} />
              </div>
              {row.opinion && <blockquote className="kq-opinion">{row.opinion}</blockquote>}
              {row.diff.map((change) => (
                <div key={change.path} className="kq-difference">
                  {change.label}：{shown(change.before)} → {shown(change.after)}
                </div>
              ))}
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}

/** 查看记录: who looked, revealed, exported; what was changed. */
export function Looks() {
  return (
    <>
      <Accesses />
      <Changes />
    </>
  );
}
