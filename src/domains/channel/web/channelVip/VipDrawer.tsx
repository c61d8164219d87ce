import { Button, Drawer, Skeleton } from 'antd';
import { useState } from 'react';
import { yuan } from '#kernel/contract/money.ts';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { StateActions } from '#kernel/web/detail/StateActions.tsx';
import { FilePreview } from '#kernel/web/files/FilePreview.tsx';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { Dict, showRate } from '#kernel/web/kit/values.tsx';
import { querySelectOptions } from '../../contract/calls/channels.ts';
import {
  auditChannelVip,
  changeChannelVipState,
  queryChannelVipDetail,
  queryChannelVipList,
  submitChannelVip,
  vipLabels,
  type VipRow,
} from '../../contract/calls/vips.ts';
import { vipLevels } from '../../contract/dictionaries.ts';
import { vipStates } from '../../contract/states.ts';
import { BudgetBar } from './vipList.tsx';

const refreshes = [queryChannelVipList, queryChannelVipDetail];

const show = (vip: VipRow, key: keyof typeof vipLabels, itemName: (id: string) => string): string => {
  switch (key) {
    case 'level':
      return vipLevels.label(vip.level);
    case 'defaultDiscountBp':
      return showRate(vip.defaultDiscountBp);
    case 'itemDiscounts':
      return vip.itemDiscounts.map((item) => `${itemName(item.itemId)} ${showRate(item.discountBp)}`).join('；') || '无';
    case 'priorityAcceptMin':
      return `${vip.priorityAcceptMin}分钟`;
    case 'patientQuota':
      return vip.patientQuota === null ? '不限' : String(vip.patientQuota);
    case 'monthlyBudgetFen':
      return vip.monthlyBudgetFen === null ? '不限' : yuan(vip.monthlyBudgetFen, true);
    case 'totalBudgetFen':
      return yuan(vip.totalBudgetFen, true);
    default:
      return String(vip[key]);
  }
};

/** One VIP row: terms, difference to the row it follows, contracts, audit. No `useAuditDesk`: some a month, found through their list. */
export function VipDrawer({ id, onClose }: { id: string; onClose(): void }) {
  const { data, error, refetch } = useData(queryChannelVipDetail, { id }, { quiet: true });
  const itemIds = [...new Set([...(data?.itemDiscounts ?? []), ...(data?.previous?.itemDiscounts ?? [])].map(({ itemId }) => itemId))];
  const items = useData(querySelectOptions, { type: 'ITEM', ids: itemIds }, { enabled: itemIds.length > 0, quiet: true, fresh: 60_000 });
  const itemName = (id: string) => items.data?.find(({ value }) => value === id)?.label ?? '服务项目';
  const [shown, setShown] = useState<number | null>(null);
  const submit = useCommand(submitChannelVip, { success: '提交成功!', refreshes });
  const audit = useCommand(auditChannelVip, { success: '审核完成!', refreshes });
  const change = useCommand(changeChannelVipState, { success: '操作成功!', refreshes });
  const act = async (action: keyof typeof vipStates.transitions, opinion: string) => {
    if (!data) return;
    const base = { id: data.id, version: data.version };
    const withOpinion = opinion ? { opinion } : {};
    if (action === 'submit') await submit.run(base);
    else if (action === 'approve' || action === 'reject') await audit.run({ ...base, ...withOpinion, action });
    else if (action === 'suspend' || action === 'resume' || action === 'terminate') await change.run({ ...base, ...withOpinion, action });
  };
  const barred = data
    ? (Object.keys(vipStates.transitions) as (keyof typeof vipStates.transitions)[]).filter(
        (action) => !data.allowedActions.includes(action),
      )
    : [];
  return (
    <Drawer
      open
      title={data ? `${data.channelName}（${data.vipNo}）` : 'VIP渠道'}
      size={760}
      onClose={onClose}
      footer={
        data && (
          <div className="kq-detail-actions">
            <StateActions
              machine={vipStates}
              state={data.state}
              facts={factsIn(queryChannelVipDetail.output, data, [
                'vipNo',
                'channelName',
                'sponsorName',
                'patientQuota',
                'totalBudgetFen',
                'endDate',
              ])}
              onAction={act}
              without={barred}
            />
          </div>
        )
      }
    >
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton active paragraph={{ rows: 10 }} />
      ) : (
        <>
          <Facts
            facts={factsIn(queryChannelVipDetail.output, data, [
              { key: 'state', value: <Dict of={vipStates.dictionary} code={data.state} /> },
              { label: '提交人', value: data.makerName },
              { label: '审核人', value: data.checkerName },
              { label: '总预算', value: <BudgetBar used={data.usedFen} total={data.totalBudgetFen} /> },
              { label: '本月预算', value: <BudgetBar used={data.monthUsedFen} total={data.monthlyBudgetFen} /> },
              { key: 'patientQuota', value: data.patientQuota === null ? '不限' : `${data.memberCount} / ${data.patientQuota}` },
            ])}
          />
          <Section title={data.previous ? `与原权益（${data.previous.vipNo}）的差异` : '权益内容'}>
            <table className="ch-terms">
              <thead>
                <tr>
                  <th>项目</th>
                  {data.previous && <th>原权益</th>}
                  <th>{data.previous ? '新权益' : '内容'}</th>
                </tr>
              </thead>
              <tbody>
                {(Object.keys(vipLabels) as (keyof typeof vipLabels)[]).map((key) => {
                  const before = data.previous ? show(data.previous, key, itemName) : null;
                  const after = show(data, key, itemName);
                  return (
                    <tr key={key}>
                      <td>{vipLabels[key]}</td>
                      {before !== null && <td>{before}</td>}
                      <td>{before !== null && before !== after ? <b className="kq-danger">{after}</b> : after}</td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
          </Section>
          <Section title="合作协议">
            {data.contracts.length === 0 && <p className="kq-muted">尚未上传</p>}
            {data.contracts.map((file, index) => (
              <Button key={file.fileId} type="link" onClick={() => setShown(index)}>
                {file.fileName}
              </Button>
            ))}
          </Section>
          <Section title="操作轨迹">
            <AuditTimeline rows={data.trail} machine={vipStates} />
          </Section>
          <FilePreview
            files={shown === null ? null : data.contracts}
            index={shown ?? 0}
            ownerType="channel.vip"
            ownerId={data.id}
            onClose={() => setShown(null)}
          />
        </>
      )}
    </Drawer>
  );
}
