import { Drawer, Skeleton } from 'antd';
import { Section } from '#kernel/web/detail/DetailLayout.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { Dict, Time } from '#kernel/web/kit/values.tsx';
import { queryAttributionTrail, type AttributionRow } from '../../contract/calls/attribution.ts';
import { attributionMethods, subjectTypes } from '../../contract/dictionaries.ts';
import { attributionChangeMachine } from '../../contract/orderStates.ts';

const Nothing = () => <p className="kq-muted">没有记录</p>;

/** 归属轨迹: attributions, changes, scans, and the doctors that a patient came to. */
export function TrailDrawer({ row, onClose }: { row: AttributionRow; onClose(): void }) {
  const { data, error, refetch } = useData(
    queryAttributionTrail,
    { subjectType: row.subjectType, subjectId: row.subjectId },
    { quiet: true },
  );
  return (
    <Drawer
      open
      size={720}
      title={`归属轨迹：${subjectTypes.label(row.subjectType)} ${row.subjectName}　${row.subjectNo ?? ''}`}
      onClose={onClose}
    >
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton active paragraph={{ rows: 8 }} />
      ) : (
        <>
          <Section title="归属">
            {data.attributions.map((one) => (
              <p key={one.id} style={{ margin: '6px 0' }}>
                <Time at={one.startedAt} /> 至 {one.endedAt ? <Time at={one.endedAt} /> : <b>现在</b>}：{one.channelName ?? '自然流量'}
                {one.agentName ? ` / ${one.agentName}` : ''}
                {one.viaDoctorName ? `，经由 ${one.viaDoctorName}` : ''} <Dict of={attributionMethods} code={one.method} />
                {one.changeNo && <span className="kq-muted"> {one.changeNo}</span>}
              </p>
            ))}
          </Section>
          <Section title={`变更（${data.changes.length}）`}>
            {data.changes.length === 0 && <Nothing />}
            {data.changes.map((one) => (
              <p key={one.id} style={{ margin: '6px 0' }}>
                {one.changeNo}：{one.fromChannelName ?? '自然流量'} → {one.toChannelName ?? '自然流量'}，{one.effectiveOn} 生效{' '}
                <Dict of={attributionChangeMachine.dictionary} code={one.state} />
              </p>
            ))}
          </Section>
          <Section title={`扫码（${data.scans.length}）`}>
            {data.scans.length === 0 && <Nothing />}
            {data.scans.map((one) => (
              <p key={one.scanId} style={{ margin: '6px 0' }}>
                <Time at={one.at} /> {one.channelName ?? '未知渠道'}
              </p>
            ))}
          </Section>
          {row.subjectType === 'PATIENT' && (
            <Section title={`关注的医生（${data.doctors.length}）`}>
              {data.doctors.length === 0 && <Nothing />}
              {data.doctors.map((one) => (
                <p key={one.doctorId} style={{ margin: '6px 0' }}>
                  {one.doctorName}：首次 <Time at={one.firstAt} />
                  ，最近 <Time at={one.lastAt} />，{one.orderCount} 单
                </p>
              ))}
            </Section>
          )}
        </>
      )}
    </Drawer>
  );
}
