import { Empty, Timeline } from 'antd';
import { lazy } from 'react';
import { showInstant } from '#kernel/contract/time.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { queryPatientFollowTimeline, type TimelineEntry } from '../../contract/engine/runCalls.ts';
import '../engine/engine.css';

const RunDrawer = lazy(async () => ({ default: (await import('./RunDrawer.tsx')).RunDrawer }));

const colours: Readonly<Record<TimelineEntry['kind'], string>> = { ENTERED: 'blue', TOUCH: 'green', PAUSED: 'orange', ENDED: 'gray' };
const colourOf = ({ kind, state }: TimelineEntry): string => {
  if (kind !== 'TOUCH' || state === 'SENT') return colours[kind];
  return state === 'FAILED' || state === 'UNKNOWN' ? 'red' : 'gray';
};

/** 随访 of one patient, newest first, in the chat panel and in the record: scenes, touches with what became of them, ends. */
export default function FollowTimeline({ patientId }: { patientId: string }) {
  const { data, error, refetch } = useData(queryPatientFollowTimeline, { patientId }, { quiet: true });
  const layers = useLayers();
  const open = (runId: string | null) => runId !== null && layers.open((close) => <RunDrawer runId={runId} onClose={close} />);
  if (error && !data) return <TableFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <div className="kq-loading" role="progressbar" aria-label="随访加载中" />;
  if (data.length === 0) return <Empty description="暂无随访" />;
  return (
    <div className="kq-pad">
      <Timeline
        items={data.map((entry) => ({
          key: entry.key,
          color: colourOf(entry),
          content: (
            <button type="button" className="kq-link kq-follow-entry" disabled={entry.runId === null} onClick={() => open(entry.runId)}>
              <span className="kq-muted">{showInstant(entry.at).slice(0, 16)}</span>
              <span>{entry.title}</span>
              {entry.detail && <span className="kq-muted">{entry.detail}</span>}
            </button>
          ),
        }))}
      />
      {layers.shown}
    </div>
  );
}
