import { CheckCircleFilled, CloseCircleFilled } from '@ant-design/icons';
import { yuan } from '#kernel/contract/money.ts';
import { showInstant } from '#kernel/contract/time.ts';
import type { CardCheck } from '../../contract/calls/use.ts';
import { lotKinds } from '../../contract/dictionaries.ts';
import { usageRules } from '../../contract/usageRules.ts';
import './use.css';

/** What a card would pay of which line out of which lots, and every rule that was looked at. */
export function CheckResult({ check }: { check: CardCheck }) {
  return (
    <>
      {check.lines.length > 0 && (
        <table className="card-table">
          <thead>
            <tr>
              <th>商品</th>
              <th>药店</th>
              <th className="card-right">待付（元）</th>
              <th className="card-right">本卡支付（元）</th>
            </tr>
          </thead>
          <tbody>
            {check.lines.map((line) => (
              <tr key={line.orderLineId}>
                <td>
                  {line.goodsName} ×{line.quantity}
                </td>
                <td>{line.merchantName || '—'}</td>
                <td className="card-right">{yuan(line.amount, true)}</td>
                <td className="card-right">{yuan(line.share, true)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {check.lots.length > 0 && (
        <table className="card-table">
          <thead>
            <tr>
              <th>扣减顺序</th>
              <th>资金批</th>
              <th>到期</th>
              <th className="card-right">可用（元）</th>
              <th className="card-right">扣减（元）</th>
            </tr>
          </thead>
          <tbody>
            {check.lots.map((lot, at) => (
              <tr key={lot.lotNo}>
                <td>{at + 1}</td>
                <td>
                  {lotKinds.label(lot.kind)} {lot.lotNo}
                </td>
                <td>{lot.expireAt ? showInstant(lot.expireAt).slice(0, 10) : '长期'}</td>
                <td className="card-right">{yuan(lot.free, true)}</td>
                <td className="card-right">{yuan(lot.take, true)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {check.kind === 'STORED_VALUE' && <p>核销后卡内余额 {yuan(check.after, true)} 元</p>}
      <ul className="card-rules">
        {check.rules.map((rule) => (
          <li key={rule.rule} className={rule.passed ? undefined : 'kq-danger'}>
            {rule.passed ? <CheckCircleFilled aria-label="通过" className="card-ok" /> : <CloseCircleFilled aria-label="不通过" />}
            <b>{usageRules.label(rule.rule)}</b>
            <span>{rule.message}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
