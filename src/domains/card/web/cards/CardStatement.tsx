import { Button, Modal } from 'antd';
import type { Column } from '#kernel/web/kit/columns.ts';
import { yuan } from '#kernel/contract/money.ts';
import { useSaveFile } from '#kernel/web/files/saveFile.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { StatementSheet } from '#kernel/web/kit/StatementSheet.tsx';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { exportCardStatement, queryCardStatement, type StatementEntry } from '../../contract/calls/cards.ts';
import { cardKinds } from '../../contract/dictionaries.ts';
import './cards.css';

/** 对账单 of a card, for the printer and as a file. */
export function CardStatement({ cardId, onClose }: { cardId: string; onClose(): void }) {
  const found = useData(queryCardStatement, { cardId }, { quiet: true });
  const file = useSaveFile(exportCardStatement);
  const { data } = found;
  if (!data)
    return (
      <Modal open title="卡对账单" onCancel={onClose} footer={null}>
        <Waiting for={found} />
      </Modal>
    );
  const isMoney = data.kind === 'STORED_VALUE';
  const shown = (value: number) => (isMoney ? `${yuan(value, true)} 元` : `${value} 次`);
  const kind = isMoney ? ('money' as const) : ('number' as const);
  const unit = isMoney ? '（元）' : '（次）';
  const columns: readonly Column<StatementEntry>[] = [
    { key: 'at', title: '时间', kind: 'time' },
    { key: 'label', title: '摘要' },
    { key: 'kindLabel', title: '类型' },
    { key: 'refNo', title: '业务单号' },
    { key: 'income', title: `收入${unit}`, kind },
    { key: 'outgo', title: `支出${unit}`, kind },
    { key: 'balance', title: `余额${unit}`, kind },
  ];
  return (
    <StatementSheet
      title="卡对账单"
      facts={[
        { label: '卡号', value: data.cardNo },
        { label: '卡种', value: data.cardTypeName },
        { label: '类型', value: cardKinds.label(data.kind) },
        { label: '持卡人', value: data.holderName ?? '—' },
        { label: '收入合计', value: shown(data.income) },
        { label: '支出合计', value: shown(data.outgo) },
        { label: '余额', value: shown(data.closing) },
      ]}
      columns={columns}
      rows={data.entries}
      foot={
        <>
          共 {data.entries.length} 笔
          <span className="card-no-print">
            <Button type="link" size="small" loading={file.busy} onClick={() => void file.save({ cardId, format: 'PDF' })}>
              下载PDF
            </Button>
            <Button type="link" size="small" loading={file.busy} onClick={() => void file.save({ cardId, format: 'XLSX' })}>
              下载Excel
            </Button>
          </span>
        </>
      }
      onClose={onClose}
    />
  );
}
