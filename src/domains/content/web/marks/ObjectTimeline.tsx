import { Drawer, Timeline } from 'antd';
import { Time } from '#kernel/web/kit/values.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { queryMarkObjectList, type BindingRow } from '../../contract/marks/calls/bindings.ts';
import { bindingSources, endReasons } from '../../contract/marks/dictionaries.ts';

const MOST = 200;

/** All marks that one thing carries or has carried, the newest first. */
export function ObjectTimeline({ of, onClose }: { of: Pick<BindingRow, 'objectType' | 'objectId' | 'objectName'>; onClose(): void }) {
  const { data, error, refetch } = useData(queryMarkObjectList, { objectType: of.objectType, objectId: of.objectId, pageSize: MOST });
  return (
    <Drawer open title={`打标时间线：${of.objectName ?? ''}`} size={480} onClose={onClose}>
      {error && <TableFailure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <div className="kq-empty">加载中…</div>}
      <Timeline
        items={(data?.rows ?? []).map((row) => ({
          key: row.id,
          color: row.endedAt === null ? 'green' : 'gray',
          content: (
            <>
              <div>
                {row.groupName}：{row.markName}
              </div>
              <div className="kq-muted">
                <Time at={row.boundAt} /> {bindingSources.label(row.source)} {row.boundByName ?? ''}
              </div>
              {row.endedAt !== null && row.endReason !== null && (
                <div className="kq-muted">
                  <Time at={row.endedAt} /> {endReasons.label(row.endReason)}
                </div>
              )}
            </>
          ),
        }))}
      />
    </Drawer>
  );
}
