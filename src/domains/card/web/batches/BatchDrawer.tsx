import { Drawer } from 'antd';
import { yuan } from '../../../../kernel/contract/money.ts';
import { showInstant } from '../../../../kernel/contract/time.ts';
import { AuditTimeline } from '../../../../kernel/web/detail/AuditTimeline.tsx';
import { Facts, Section } from '../../../../kernel/web/detail/DetailLayout.tsx';
import { useData } from '../../../../kernel/web/http/queries.ts';
import { TableFailure, Waiting } from '../../../../kernel/web/kit/TableState.tsx';
import { batchDetails } from '../../contract/calls/batches.ts';
import { batchMachine, media } from '../../contract/typeDictionaries.ts';
import '../use/use.css';

/** A batch: how far its cards are, what became of its value, who passed it and who took its secrets. */
export function BatchDrawer({ id, onClose }: { id: string; onClose(): void }) {
  const { data, error, refetch } = useData(batchDetails, { batchId: id }, { quiet: true });
  return (
    <Drawer open title={data ? `发卡批次 ${data.batchNo}` : '发卡批次'} size={860} onClose={onClose}>
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Waiting for={{ error, refetch }} />
      ) : (
        <>
          <Facts
            facts={[
              { label: '状态', value: batchMachine.dictionary.label(data.status) },
              { label: '卡种', value: data.typeName },
              { label: '规则版本', value: data.ruleVersion },
              { label: '介质', value: media.label(data.medium) },
              { label: '数量', value: data.quantity },
              { label: '总金额', value: `${yuan(data.totalAmount, true)} 元` },
              { label: '提交人', value: data.submittedBy },
              { label: '审批人', value: data.approvedBy },
              { label: '用途', value: data.purpose, wide: true },
            ]}
          />
          <Section title="卡片去向">
            <Facts facts={data.funnel.map(({ label, count }) => ({ label, value: count }))} />
          </Section>
          <Section title="金额去向">
            <Facts
              facts={[
                { label: '未发', value: yuan(data.amounts.unsold, true) },
                { label: '可用', value: yuan(data.amounts.available, true) },
                { label: '预占', value: yuan(data.amounts.held, true) },
                { label: '已核销', value: yuan(data.amounts.spent, true) },
                { label: '过期、作废与撤回', value: yuan(data.amounts.gone, true) },
                { label: '合计', value: yuan(data.amounts.total, true) },
              ]}
            />
          </Section>
          <Section title="卡密导出记录">
            {data.exports.length === 0 ? (
              <p className="kq-muted">还没有导出过</p>
            ) : (
              <table className="card-table">
                <thead>
                  <tr>
                    <th>操作</th>
                    <th>操作人</th>
                    <th>时间</th>
                    <th>说明</th>
                  </tr>
                </thead>
                <tbody>
                  {data.exports.map((one) => (
                    <tr key={`${one.at}${one.action}`}>
                      <td>{one.action === 'EXPORT' ? '导出卡密' : '查看文件密码'}</td>
                      <td>{one.userName}</td>
                      <td>{showInstant(one.at)}</td>
                      <td>{one.opinion ?? '—'}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </Section>
          <Section title="审批记录">
            <AuditTimeline rows={data.trail} machine={batchMachine} />
          </Section>
        </>
      )}
    </Drawer>
  );
}
