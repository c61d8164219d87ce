import { Drawer } from 'antd';
import { useState } from 'react';
import { Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { Money, NOTHING } from '#kernel/web/kit/values.tsx';
import { queryLedgerTransferDetail, type LedgerTransferDetail } from '../../contract/calls/entries.ts';
import { Document } from './Document.tsx';

/** The entries as accountants draw them: debits left, credits right. */
function TAccount({ entries, totalFen }: Pick<LedgerTransferDetail, 'entries' | 'totalFen'>) {
  return (
    <table className="kq-ledger-t">
      <thead>
        <tr>
          <th>科目 / 账户</th>
          <th className="kq-ledger-amount">借方</th>
          <th className="kq-ledger-amount">贷方</th>
          <th className="kq-ledger-amount">记账后余额</th>
          <th className="kq-ledger-amount">已退回</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td>
              {entry.accountTypeLabel}
              <div className="kq-ledger-muted">
                {entry.accountNo} {entry.ownerName}
              </div>
            </td>
            <td className="kq-ledger-amount">{entry.side === 'D' && <Money fen={entry.amountFen} />}</td>
            <td className="kq-ledger-amount">{entry.side === 'C' && <Money fen={entry.amountFen} />}</td>
            <td className="kq-ledger-amount">
              <Money fen={entry.balanceAfterFen} />
            </td>
            <td className="kq-ledger-amount">{entry.refundedFen === '0' ? NOTHING : <Money fen={entry.refundedFen} />}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <td>合计</td>
          <td className="kq-ledger-amount">
            <Money fen={totalFen} />
          </td>
          <td className="kq-ledger-amount">
            <Money fen={totalFen} />
          </td>
          <td />
          <td />
        </tr>
      </tfoot>
    </table>
  );
}

function Shown({ of, onTurn }: { of: LedgerTransferDetail; onTurn(transferNo: string): void }) {
  const other = (transferNo: string) => (
    <button type="button" className="kq-link" onClick={() => onTurn(transferNo)}>
      {transferNo}
    </button>
  );
  return (
    <>
      <Facts
        facts={factsIn(queryLedgerTransferDetail.output, of, [
          'book',
          'label',
          'totalFen',
          'postingDate',
          'period',
          'createdAt',
          'refLabel',
          { label: '业务单号', value: <Document of={of} /> },
          'operatorName',
          'holdNo',
          { label: '原凭证', value: of.original ? other(of.original) : NOTHING },
          'memo',
          { key: 'businessKey', value: <span className="kq-number">{of.businessKey}</span>, wide: true },
        ])}
      />
      <Section title="分录">
        <TAccount entries={of.entries} totalFen={of.totalFen} />
      </Section>
      {of.lots.length > 0 && (
        <Section title="额度批次">
          <DataTable
            rows={of.lots.map((lot, at) => ({ ...lot, id: String(at) }))}
            height="auto"
            columns={[
              { key: 'lotNo', title: '批次号', width: 170 },
              { key: 'accountNo', title: '账户编号', width: 150 },
              { key: 'kind', title: '变动', width: 80 },
              { key: 'amountFen', title: '金额', kind: 'money' },
              { key: 'expiresAt', title: '到期时间', kind: 'time' },
            ]}
          />
        </Section>
      )}
      {of.reversals.length > 0 && (
        <Section title="退回与冲正">
          <DataTable
            rows={of.reversals}
            rowKey="transferNo"
            height="auto"
            columns={[
              { key: 'transferNo', title: '凭证号', width: 190, kind: 'link', to: (row) => () => onTurn(row.transferNo) },
              { key: 'whole', title: '类型', width: 90, value: ({ whole }) => (whole ? '冲正' : '部分退回') },
              { key: 'totalFen', title: '金额', kind: 'money' },
              { key: 'postingDate', title: '记账日期', kind: 'day' },
            ]}
          />
        </Section>
      )}
    </>
  );
}

/** Drawer 记账凭证: what was posted, with its lots and what came back on it. */
export function Voucher({ transferNo, onClose }: { transferNo: string; onClose(): void }) {
  const [shown, setShown] = useState(transferNo);
  const found = useData(queryLedgerTransferDetail, { transferNo: shown }, { quiet: true });
  return (
    <Drawer open size={900} title={`记账凭证：${shown}`} onClose={onClose} destroyOnHidden>
      {found.data ? <Shown of={found.data} onTurn={setShown} /> : <Waiting for={found} />}
    </Drawer>
  );
}
