import { useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { Dict, Time } from '#kernel/web/kit/values.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { queryFollowUps } from '../../contract/calls/groups.ts';
import { followUpStates } from '../../contract/dictionaries.ts';
import { consultationPermissions as may } from '../../contract/permissions.ts';
import { inquiryMachine } from '../../contract/states.ts';
import './followUps.css';

/** 随访 of a patient as his conversations know it: agreed revisits, follow-up services, messages of the follow-up engine. */
export default function FollowUps({ patientId }: { patientId: string }) {
  const mayDo = useMay();
  const { data, error, refetch } = useData(queryFollowUps, { patientId }, { quiet: true });
  if (error) return <TableFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <p className="kq-muted">加载中…</p>;
  if (data.length === 0) return <p className="kq-muted">没有随访安排</p>;
  return (
    <ol className="consult-follow-ups">
      {data.map((row) => (
        <li key={`${row.kind}${row.serverId ?? ''}${row.groupId}${row.seq ?? ''}`}>
          <Time at={row.at} day={row.kind === 'REVISIT'} />
          <span>
            {row.seq !== null && row.canOpen ? (
              <PageLink to="/assistantIM" search={{ conversationID: `GROUP${row.groupId}`, seq: row.seq }}>
                {row.title}
              </PageLink>
            ) : row.serverId !== null && mayDo(may['visit.view']) ? (
              <PageLink to="/visitRecords" search={{ serverId: row.serverId }}>
                {row.title}
              </PageLink>
            ) : (
              row.title
            )}
            <small className="kq-muted">
              {row.doctorName}医生{row.inquiryNo && ` · ${row.inquiryNo}`}
            </small>
          </span>
          <Dict of={row.kind === 'SERVICE' ? inquiryMachine.dictionary : followUpStates} code={row.state} />
        </li>
      ))}
    </ol>
  );
}
