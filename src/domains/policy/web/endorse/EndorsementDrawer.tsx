import { Drawer } from 'antd';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { Dict } from '#kernel/web/kit/values.tsx';
import { queryEndorsementList, queryEndorsementDetail, type EndorsementRow } from '../../contract/calls/endorsements.ts';
import { endorsementMachine } from '../../contract/states.ts';
import { Vouchers } from '../shared/Vouchers.tsx';
import { Differences } from './Impact.tsx';

/** One endorsement: what it changed, what it cost, what it is based on, who did what with it. */
export function EndorsementDrawer({ row, onClose }: { row: EndorsementRow; onClose(): void }) {
  const { data, error, refetch } = useData(queryEndorsementDetail, { endorsementId: row.id }, { quiet: true });
  return (
    <Drawer open title={`批单 ${row.endorsementNo}`} size={860} onClose={onClose}>
      <Facts
        facts={factsIn(queryEndorsementList.output, row, [
          'kind',
          { key: 'state', value: <Dict of={endorsementMachine.dictionary} code={row.state} /> },
          'seq',
          'effectiveOn',
          'premiumDeltaFen',
          ...(row.insurerEndorsementNo === '' ? [] : [{ label: '保司批单号', value: row.insurerEndorsementNo }]),
          'maker',
          'checker',
          'createdAt',
          'visibleAt',
          'undoneAt',
          { key: 'reason', wide: true },
        ])}
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
