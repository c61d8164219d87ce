import { Alert } from 'antd';
import { Section } from '#kernel/web/detail/DetailLayout.tsx';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { Money, NOTHING } from '#kernel/web/kit/values.tsx';
import type { EndorsementImpact, EndorsementRow } from '../../contract/calls/endorsements.ts';

/** What was, what will be. */
export function Differences({ rows }: { rows: EndorsementRow['differences'] }) {
  if (rows.length === 0) return <p className="kq-muted">没有变化</p>;
  return (
    <table className="pol-table">
      <thead>
        <tr>
          <th>项目</th>
          <th>批改前</th>
          <th>批改后</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={`${at}:${row.label}`}>
            <td>{row.label}</td>
            <td>{row.before || NOTHING}</td>
            <td>{row.after || NOTHING}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** 影响分析 of an endorsement, before it is handed in. */
export function Impact({ impact }: { impact: EndorsementImpact }) {
  const named = (all: EndorsementImpact['contracts']) => all.map(({ name, refNo }) => `${name}（${refNo}）`).join('、');
  const delta = BigInt(impact.premiumDeltaFen);
  return (
    <Section title="影响分析">
      <p className="pol-totals">
        <span>涉及被保人 {impact.persons} 人</span>
        <span>
          保费{delta > 0n ? '补收' : delta < 0n ? '退还' : '无变化'}
          {delta !== 0n && (
            <>
              {' '}
              <Money fen={String(delta < 0n ? -delta : delta)} unit />
            </>
          )}
        </span>
        {impact.backdatedDays > 0 && <span className="pol-wrong">追溯 {impact.backdatedDays} 天</span>}
      </p>
      {impact.needsOpinion && <Alert type="warning" showIcon title="追溯生效，审核时须填写意见" />}
      {impact.contracts.length > 0 && <Alert type="warning" showIcon title={`受影响的签约：${named(impact.contracts)}`} />}
      {impact.openClaims.length > 0 && <Alert type="warning" showIcon title={`在途理赔：${named(impact.openClaims)}`} />}
      <Differences rows={impact.differences} />
      {impact.lines.length > 0 && (
        <DataTable
          rows={impact.lines.map((line, at) => ({ ...line, key: String(at) }))}
          rowKey="key"
          height={260}
          columns={[
            { key: 'name', title: '姓名', width: 90 },
            { key: 'planCode', title: '计划', width: 70 },
            { key: 'from', title: '起', kind: 'day' },
            { key: 'to', title: '止', kind: 'day' },
            { key: 'amountFen', title: '金额', kind: 'money' },
            { key: 'calc', title: '算法', width: 380 },
          ]}
        />
      )}
    </Section>
  );
}
