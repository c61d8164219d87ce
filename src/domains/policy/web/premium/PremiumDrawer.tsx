import { Drawer } from 'antd';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { DetailLayout, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { SERVER_MESSAGE, useCommand, useData } from '#kernel/web/http/queries.ts';
import { Dict, Money } from '#kernel/web/kit/values.tsx';
import { queryPremiumOrderDetail, removeAllocation } from '../../contract/calls/premium.ts';
import { premiumMachine } from '../../contract/premiumStates.ts';
import { Vouchers } from '../shared/Vouchers.tsx';
import { Comparison, OrderAllocations, OrderFacts, OrderItems } from './OrderParts.tsx';
import { premiumRefreshes as refreshes } from './premiumList.tsx';

/** One premium order: comparison, lines with how each comes about, money, vouchers, history. */
export function PremiumDrawer({ premiumOrderId, onClose }: { premiumOrderId: string; onClose(): void }) {
  const { data, error, loading, refetch } = useData(queryPremiumOrderDetail, { premiumOrderId }, { quiet: true });
  const undo = useCommand(removeAllocation, { success: SERVER_MESSAGE, refreshes });
  return (
    <Drawer open title="保费订单详情" size={1180} onClose={onClose} destroyOnHidden>
      <DetailLayout
        title={data?.premiumOrderNo}
        state={data && <Dict of={premiumMachine.dictionary} code={data.state} />}
        loading={loading}
        error={error}
        onRetry={() => void refetch()}
        aside={
          data && (
            <Section title="操作记录">
              <AuditTimeline rows={data.timeline} machine={premiumMachine} />
            </Section>
          )
        }
      >
        {data && (
          <>
            <OrderFacts order={data} />
            <Comparison order={data} />
            <OrderAllocations
              order={data}
              actions={[
                {
                  label: '撤销分配',
                  danger: true,
                  when: ({ reversed, amountFen }) => data.allowedActions.includes('unallocate') && !reversed && !amountFen.startsWith('-'),
                  act: async ({ id, amountFen }) => {
                    const opinion = await confirmWithOpinion({
                      title: '撤销分配',
                      content: '登记人本人不能撤销。确定要撤销这笔分配吗?',
                      facts: [
                        { label: '分配金额', value: <Money fen={amountFen} unit /> },
                        ...factsIn(queryPremiumOrderDetail.output, data, ['premiumOrderNo', 'holderName', 'amountFen', 'settledFen']),
                      ],
                      danger: true,
                    });
                    if (opinion !== null) await undo.run({ allocationId: id, opinion });
                  },
                },
              ]}
            />
            <OrderItems order={data} />
            <Section title="凭证">
              <Vouchers ownerType="policy.premiumOrder" ownerId={data.id} />
            </Section>
          </>
        )}
      </DetailLayout>
    </Drawer>
  );
}
