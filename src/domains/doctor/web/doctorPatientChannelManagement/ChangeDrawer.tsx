import { Button, Drawer, Skeleton } from 'antd';
import { useState } from 'react';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { FilePreview } from '#kernel/web/files/FilePreview.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { queryAttributionChangeDetail } from '../../contract/calls/attribution.ts';
import { attributionChangeMachine } from '../../contract/orderStates.ts';

/** One application with its papers and timeline. */
export function ChangeDrawer({ id, onClose }: { id: string; onClose(): void }) {
  const { data, error, refetch } = useData(queryAttributionChangeDetail, { id }, { quiet: true });
  const [preview, setPreview] = useState<number | null>(null);
  const change = data?.change;
  return (
    <Drawer
      open
      size={720}
      title={
        change ? (
          <>
            归属变更 {change.changeNo} <Dict of={attributionChangeMachine.dictionary} code={change.state} />
          </>
        ) : (
          '归属变更'
        )
      }
      onClose={onClose}
    >
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !data || !change ? (
        <Skeleton active paragraph={{ rows: 8 }} />
      ) : (
        <>
          <Facts
            facts={factsIn(queryAttributionChangeDetail.output.shape.change, change, [
              { label: '原渠道', value: change.fromChannelName ?? '自然流量' },
              { label: '新渠道', value: <b>{change.toChannelName ?? '自然流量'}</b> },
              'fromAgentName',
              'toAgentName',
              'effectiveOn',
              'performedAt',
              'makerName',
              'checkerName',
              'reason',
              'opinion',
            ])}
          />
          <Section title="证明材料">
            {data.evidence.length === 0 ? (
              <p className="kq-muted">未上传</p>
            ) : (
              data.evidence.map((file, index) => (
                <Button key={file.fileId} type="link" onClick={() => setPreview(index)}>
                  {file.fileName}
                </Button>
              ))
            )}
          </Section>
          <Section title="操作轨迹">
            <AuditTimeline rows={data.trail} machine={attributionChangeMachine} />
          </Section>
          <FilePreview
            files={preview === null ? null : data.evidence}
            index={preview ?? 0}
            ownerType="doctor.attributionChange"
            ownerId={change.id}
            onClose={() => setPreview(null)}
          />
        </>
      )}
    </Drawer>
  );
}
