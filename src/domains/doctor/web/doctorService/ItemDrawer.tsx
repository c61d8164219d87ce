import { Drawer } from 'antd';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { DetailLayout, Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { FilePreview } from '#kernel/web/files/FilePreview.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { Dict, NOTHING } from '#kernel/web/kit/values.tsx';
import { useState } from 'react';
import { careKinds, practiceCategories, refundRules } from '../../contract/dictionaries.ts';
import { queryServiceItemDetail, type ItemFile } from '../../contract/calls/items.ts';
import { itemMachine } from '../../contract/states.ts';
import { Bands } from '../services/Bands.tsx';

/** Everything about one item, and who changed it. */
export function ItemDrawer({ id, onClose }: { id: string; onClose(): void }) {
  const { data, error, refetch } = useData(queryServiceItemDetail, { id }, { quiet: true });
  const [shown, setShown] = useState<ItemFile | null>(null);
  const fileLink = (file: ItemFile | null) =>
    file ? (
      <button type="button" className="kq-link" onClick={() => setShown(file)}>
        {file.fileName}
      </button>
    ) : (
      NOTHING
    );
  const item = data?.item;
  return (
    <Drawer open title="服务项目" size={960} onClose={onClose}>
      <DetailLayout
        title={item ? `${item.name}（${item.itemCode}）` : ''}
        state={item && <Dict of={itemMachine.dictionary} code={item.state} />}
        loading={data === undefined && !error}
        error={error}
        onRetry={() => void refetch()}
        aside={<AuditTimeline rows={data?.trail} machine={itemMachine} />}
      >
        {item && (
          <>
            <Facts
              title="基本"
              columns={2}
              facts={factsIn(queryServiceItemDetail.output.shape.item, item, [
                'itemType',
                { key: 'careKind', value: <Dict of={careKinds} code={item.careKind} /> },
                'categoryName',
                'updatedAt',
                { label: '简介', value: item.summary || NOTHING, wide: true },
                { label: '说明', value: item.detail || NOTHING, wide: true },
                { label: '封面', value: fileLink(data.cover), wide: true },
              ])}
            />
            <Facts
              title="计费与价格"
              columns={2}
              facts={factsIn(queryServiceItemDetail.output.shape.item, item, [
                'billing',
                {
                  label: '数量',
                  value:
                    item.quotaReplies !== null
                      ? `${item.quotaReplies}回合`
                      : item.periodDays !== null
                        ? `${item.periodDays}天`
                        : item.durationMin !== null
                          ? `${item.durationMin}分钟`
                          : NOTHING,
                },
                { label: '价格区间', value: <Bands bands={item.priceBands} />, wide: true },
                { label: '允许免费', value: item.freeAllowed ? '是' : '否' },
                'openDoctors',
              ])}
            />
            <Facts
              title="时效与准入"
              columns={2}
              facts={factsIn(queryServiceItemDetail.output.shape.item, item, [
                { label: '接诊时效', value: `${item.acceptHours}小时` },
                { label: '首响时效', value: `${item.replyHours}小时` },
                { label: '服务有效期', value: `${item.validHours}小时` },
                'needSlot',
                'titleMin',
                { key: 'categories', value: item.categories.map((category) => practiceCategories.label(category)).join('、') || '不限' },
              ])}
            />
            <Facts
              title="协议与退款"
              columns={2}
              facts={[
                { label: '退款规则', value: refundRules.label(item.refundRuleCode) },
                { label: '合作产品线', value: data.productLineName ?? NOTHING },
                { label: '服务协议', value: fileLink(data.agreement) },
                { label: '协议版本', value: item.agreementVersion > 0 ? `第${item.agreementVersion}版` : NOTHING },
              ]}
            />
          </>
        )}
      </DetailLayout>
      <FilePreview files={shown ? [shown] : null} ownerType="doctor.serviceItem" ownerId={id} onClose={() => setShown(null)} />
    </Drawer>
  );
}
