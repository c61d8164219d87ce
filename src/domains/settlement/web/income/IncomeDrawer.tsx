import { Drawer, Skeleton } from 'antd';
import { yuan } from '#kernel/contract/money.ts';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import type { Fact } from '#kernel/web/kit/fact.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { queryIncomeDetail, type IncomeTrace } from '../../contract/calls/income.ts';
import { baseTypes } from '../../contract/dictionaries.ts';
import { incomeMachine } from '../../contract/states.ts';

const money = (fen: number | null): string | null => (fen === null ? null : `${yuan(fen, true)} 元`);

/** How the amount came about, line by line, as it was reckoned then. */
function traceFacts(trace: IncomeTrace): Fact[] {
  const lines: readonly (readonly [string, string | null])[] = [
    ['分成规则', trace.ruleCode && `${trace.ruleCode} ${trace.ruleName ?? ''}（第${trace.versionNo ?? 1}版）`],
    ['适用范围', trace.scopeText],
    ['实付金额', money(trace.payFen)],
    ['标价金额', money(trace.listFen)],
    ['已退金额', trace.refundedFen ? money(trace.refundedFen) : null],
    ['计费基数', trace.baseType && `${baseTypes.label(trace.baseType)} ${money(trace.baseFen) ?? ''}`],
    ['分成比例', trace.ratioBp === null ? null : `${trace.ratioBp / 100}%`],
    ['固定金额', money(trace.fixedFen)],
    ['封顶金额', money(trace.capFen)],
    ['周期规则', trace.cycleRuleCode && `${trace.cycleRuleCode}，冻结${trace.freezeDays ?? 0}天`],
    ['调整前应得', money(trace.beforeFen)],
    ['说明', trace.note],
    ['应得', money(trace.grossFen)],
  ];
  return lines.flatMap(([label, value]) => (value ? [{ label, value }] : []));
}

/** 计算过程 of one income, with its vouchers and its story. */
export function IncomeDrawer({ id, onClose }: { id: string; onClose(): void }) {
  const { data, error, refetch } = useData(queryIncomeDetail, { id }, { quiet: true });
  return (
    <Drawer open title={data ? `收入 ${data.income.incomeNo}` : '收入'} size={760} onClose={onClose}>
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton active paragraph={{ rows: 10 }} />
      ) : (
        <>
          <Facts
            facts={factsIn(queryIncomeDetail.output.shape.income, data.income, [
              'doctorName',
              'hospitalName',
              'payerName',
              'incomeType',
              'sourceNo',
              'occurredAt',
              'availableAt',
              'grossFen',
              'status',
              'holdReason',
            ])}
          />
          {data.originalNo && <p className="kq-muted">原收入 {data.originalNo}</p>}
          <Section title="计算过程">
            <Facts facts={traceFacts(data.trace)} />
          </Section>
          <Section title="记账凭证">
            <ul>
              {data.transfers.map((one) => (
                <li key={one.transferId}>
                  {one.transferNo}　{yuan(one.amountFen, true)} 元
                </li>
              ))}
            </ul>
          </Section>
          <Section title="操作轨迹">
            <AuditTimeline rows={data.trail} machine={incomeMachine} />
          </Section>
        </>
      )}
    </Drawer>
  );
}
