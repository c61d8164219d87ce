import { Drawer } from 'antd';
import { showInstant } from '../../../../kernel/contract/time.ts';
import { AuditTimeline } from '../../../../kernel/web/detail/AuditTimeline.tsx';
import { Facts, Section } from '../../../../kernel/web/detail/DetailLayout.tsx';
import { useData } from '../../../../kernel/web/http/queries.ts';
import { Dict, Money } from '../../../../kernel/web/kit/values.tsx';
import { queryEndorsementDetail, type EndorsementRow } from '../../contract/calls/endorsements.ts';
import { endorsementKinds } from '../../contract/dictionaries.ts';
import { endorsementMachine } from '../../contract/states.ts';
import { Vouchers } from '../shared/Vouchers.tsx';
import { Differences } from './Impact.tsx';

/** One endorsement: what it changed, what it cost, what it is based on, who did what with it. */
export function EndorsementDrawer({ row, onClose }: { row: EndorsementRow; onClose(): void }) {
  const { data, error, refetch } = useData(queryEndorsementDetail, { endorsementId: row.id }, { quiet: true });
  return (
    <Drawer open title={`批单 ${row.endorsementNo}`} size={860} onClose={onClose}>
      <Facts
        facts={[
          { label: '批单类型', value: endorsementKinds.label(row.kind) },
          { label: '状态', value: <Dict of={endorsementMachine.dictionary} code={row.state} /> },
          { label: '序号', value: row.seq },
          { label: '生效日期', value: row.effectiveOn },
          { label: '保费变化', value: <Money fen={row.premiumDeltaFen} unit /> },
          ...(row.insurerEndorsementNo === '' ? [] : [{ label: '保司批单号', value: row.insurerEndorsementNo }]),
          { label: '经办人', value: row.maker },
          { label: '审核人', value: row.checker },
          { label: '创建时间', value: showInstant(row.createdAt) },
          { label: '生效时间', value: row.visibleAt && showInstant(row.visibleAt) },
          { label: '撤销时间', value: row.undoneAt && showInstant(row.undoneAt) },
          { label: '批改原因', value: row.reason, wide: true },
        ]}
      />
      <Section title="批改内容">
        <Differences rows={row.differences} />
      </Section>
      {row.fileIds.length > 0 && (
        <Section title="附件">
          <Vouchers ownerType="policy.endorsement" ownerId={row.id} />
        </Section>
      )}
      <Section title="操作轨迹">
        <AuditTimeline rows={data?.timeline} machine={endorsementMachine} error={error} onRetry={() => void refetch()} />
      </Section>
    </Drawer>
  );
}
