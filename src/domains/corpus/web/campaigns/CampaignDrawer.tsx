import { Alert, Button, Descriptions, Drawer, Progress, Tabs } from 'antd';
import { TransitionButtons } from '#kernel/web/detail/TransitionButtons.tsx';
import { lazy, Suspense, useState } from 'react';
import { showInstant } from '#kernel/contract/time.ts';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { ImportButton } from '#kernel/web/files/ImportWizard.tsx';
import { DetailLayout } from '#kernel/web/detail/DetailLayout.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { queryCampaignDetail, type CampaignPreview } from '../../contract/campaigns/calls.ts';
import { CAMPAIGN_AUDIENCE_IMPORTER, audienceResult, campaignActions, campaignMachine } from '../../contract/campaigns/dictionaries.ts';
import { sendTarget, touchKind } from '../../contract/dictionaries.ts';
import { corpusPermissions as may } from '../../contract/permissions.ts';
import { useCampaignActions } from './useCampaignActions.ts';
import '../materials/materials.css';
import './campaigns.css';

const MessagePreview = lazy(() => import('../welcome/MessagePreview.tsx'));
const WIDTH = 920;
const FOLLOW_MS = 10_000;

/** Who would get it and who would not, counted and by name. */
function Audience({ preview }: { preview: CampaignPreview }) {
  return (
    <>
      <div className="kq-campaign-counts">
        <span>
          全部<b>{preview.total}</b>
        </span>
        {preview.results.map(({ result, count }) => (
          <span key={result}>
            <Dict of={audienceResult} code={result} />
            <b>{count}</b>
          </span>
        ))}
      </div>
      <DataTable
        rows={preview.people}
        rowKey="patientId"
        height={420}
        empty="没有符合条件的患者"
        columns={[
          { key: 'patientNo', title: '患者编号', width: 150 },
          { key: 'patientName', title: '患者', width: 100 },
          { key: 'result', title: '结果', kind: 'dict', dictionary: audienceResult, width: 110 },
          { key: 'reason', title: '原因', width: 320 },
        ]}
      />
      {preview.people.length < preview.total && <p className="kq-muted">仅列出前{preview.people.length}人，不会收到的在前</p>}
    </>
  );
}

/** One campaign: its audience looked at, what it says, how far it is, and what became of it; the auditor decides here. */
export default function CampaignDrawer({ id, onClose }: { id: string; onClose(): void }) {
  const { data, error, loading, refetch } = useData(queryCampaignDetail, { id }, { quiet: true, every: FOLLOW_MS });
  const [preview, setPreview] = useState<CampaignPreview | null>(null);
  const actions = useCampaignActions();
  const allowed = useMay();
  const row = data?.campaign;
  const look = async () => {
    const answer = row && (await actions.preview.run({ id, version: row.version }));
    if (answer) setPreview(answer.data);
  };
  const looks = row?.state === 'DRAFT' && allowed(may['campaign.edit']);
  return (
    <Drawer open size={WIDTH} title="群发任务详情" onClose={onClose} destroyOnHidden>
      <DetailLayout
        title={row?.name}
        subtitle={row?.campaignNo}
        state={row && <Dict of={campaignMachine.dictionary} code={row.state} />}
        loading={loading}
        error={error}
        onRetry={() => void refetch()}
        actions={
          row && (
            <>
              {looks && (
                <ImportButton
                  importerCode={CAMPAIGN_AUDIENCE_IMPORTER}
                  params={{ campaignId: id }}
                  permission={may['campaign.edit']}
                  label="导入人群"
                  onChanged={() => void refetch()}
                />
              )}
              {looks && (
                <Button type="primary" loading={actions.preview.busy} onClick={() => void look()}>
                  预览人群
                </Button>
              )}
              <TransitionButtons
                machine={campaignMachine}
                actions={[...campaignActions, 'stop']}
                allowed={row.allowedActions}
                disabled={actions.busy}
                onTake={(action) => actions.take(row, action)}
              />
            </>
          )
        }
      >
        {data && row && (
          <>
            {row.state === 'STOPPED' && row.stopReason && <Alert type="warning" showIcon title={`停止原因：${row.stopReason}`} />}
            {row.counts.total > 0 && (
              <Progress
                percent={Math.floor(((row.counts.total - row.counts.waiting) * 100) / row.counts.total)}
                status={row.state === 'STOPPED' ? 'exception' : row.state === 'DONE' ? 'success' : 'active'}
              />
            )}
            <Tabs
              items={[
                {
                  key: 'content',
                  label: '内容',
                  children: (
                    <div className="kq-mat-split">
                      <Descriptions
                        column={1}
                        items={[
                          { key: 'audience', label: '人群', children: row.audience },
                          {
                            key: 'previewCount',
                            label: '预览人数',
                            children:
                              row.previewCount === null || row.previewAt === null
                                ? '尚未预览'
                                : `${row.previewCount}（${showInstant(row.previewAt)}）`,
                          },
                          { key: 'touchKind', label: '触达类型', children: touchKind.label(row.touchKind) },
                          { key: 'target', label: '发送对象', children: sendTarget.label(row.target) },
                          { key: 'sendAt', label: '发送时间', children: showInstant(row.sendAt) },
                          { key: 'sent', label: '已发送', children: row.counts.sent },
                          { key: 'waiting', label: '等待发送', children: row.counts.waiting },
                          { key: 'skipped', label: '未发送', children: row.counts.skipped },
                          { key: 'failed', label: '失败', children: row.counts.failed },
                        ]}
                      />
                      <Suspense>
                        <MessagePreview materialIds={data.materialIds} smsText={null} />
                      </Suspense>
                    </div>
                  ),
                },
                ...(preview ? [{ key: 'audience', label: '人群预览', children: <Audience preview={preview} /> }] : []),
                { key: 'trail', label: '操作轨迹', children: <AuditTimeline rows={data.timeline} machine={campaignMachine} /> },
              ]}
              {...(preview && { key: 'previewed', defaultActiveKey: 'audience' })}
            />
          </>
        )}
      </DetailLayout>
    </Drawer>
  );
}
