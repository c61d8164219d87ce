import { lazy } from 'react';
import { ledgerPanelPlace } from '#kernel/web/kit/ledgerPanelPlace.ts';
import { PageParts, type PagePart } from '#kernel/web/kit/PageParts.tsx';
import { Slot } from '#kernel/web/slots.tsx';
import { cardPermissions as may } from '../../contract/permissions.ts';
import { Batches } from './Batches.tsx';

const Bills = lazy(async () => ({ default: (await import('./Bills.tsx')).Bills }));
const Funds = lazy(async () => ({ default: (await import('./Funds.tsx')).Funds }));
const Findings = lazy(async () => ({ default: (await import('./Findings.tsx')).Findings }));
const Book = () => <Slot of={ledgerPanelPlace} props={{ book: 'CARD' }} fallback={<div className="kq-loading" />} />;

const parts: readonly PagePart[] = [
  { key: 'batches', label: '结算批次', permission: may['card.view'], content: Batches },
  { key: 'bills', label: '结算单', permission: may['card.view'], content: Bills },
  { key: 'funds', label: '出资方预付', permission: may['card.view'], content: Funds },
  { key: 'findings', label: '异常数据', permission: may['finding.handle'], content: Findings },
  { key: 'ledger', label: '账簿', permission: { code: 'ledger.account.view' }, content: Book },
];

/** /storedCardBatchManage 储值结算批次. */
export default function StoredCardBatchManage() {
  return <PageParts parts={parts} />;
}
