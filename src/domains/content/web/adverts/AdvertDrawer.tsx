import { Button, Drawer } from 'antd';
import { useState } from 'react';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { DetailLayout } from '#kernel/web/detail/DetailLayout.tsx';
import { FilePreview } from '#kernel/web/files/FilePreview.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { Dict } from '#kernel/web/kit/values.tsx';
import { queryAdvertiseDetail } from '../../contract/adverts/calls.ts';
import { auditAnswers, auditPoints } from '../../contract/adverts/dictionaries.ts';
import { shownStates } from '../../contract/delivery/dictionaries.ts';
import { ADVERT_TARGET } from '../../contract/delivery/files.ts';
import { advertMachine } from '../../contract/delivery/states.ts';
import { AdvertFacts } from './AdvertFacts.tsx';

const WIDTH = 860;

/** One advertisement: its picture, what is known of it, what its auditor answered, and who did what. */
export function AdvertDrawer({ id, onClose }: { id: string; onClose(): void }) {
  const { data, error, loading, refetch } = useData(queryAdvertiseDetail, { id }, { quiet: true });
  const [paper, setPaper] = useState(false);
  const advert = data?.advert;
  const answered = advert ? auditPoints.codes.filter((point) => advert.checks[point] !== undefined) : [];
  return (
    <Drawer open size={WIDTH} title="广告详情" onClose={onClose} destroyOnHidden>
      <DetailLayout
        title={advert?.adName}
        subtitle={advert?.adNo}
        state={advert && <Dict of={shownStates} code={advert.shownState} />}
        loading={loading}
        error={error}
        onRetry={() => void refetch()}
        actions={data?.approvalFile && <Button onClick={() => setPaper(true)}>查看批准文件</Button>}
      >
        {data && advert && (
          <>
            {data.imageUrl && <img className="dl-large" src={data.imageUrl} alt={advert.altText || advert.adName} />}
            <AdvertFacts advert={advert} />
            {answered.length > 0 && (
              <>
                <h3 className="dl-part">审核要点</h3>
                <ul>
                  {answered.map((point) => (
                    <li key={point}>
                      {auditPoints.label(point)}：{auditAnswers.label(advert.checks[point] ?? '')}
                    </li>
                  ))}
                </ul>
              </>
            )}
            <h3 className="dl-part">操作轨迹</h3>
            <AuditTimeline rows={data.timeline} machine={advertMachine} />
            <FilePreview
              files={paper && data.approvalFile ? [data.approvalFile] : null}
              ownerType={ADVERT_TARGET}
              ownerId={id}
              onClose={() => setPaper(false)}
            />
          </>
        )}
      </DetailLayout>
    </Drawer>
  );
}
