import { ledgerPanelPlace } from '#kernel/web/kit/ledgerPanelPlace.ts';
import { PageParts, type PagePart } from '#kernel/web/kit/PageParts.tsx';
import { Slot } from '#kernel/web/slots.tsx';
import { settlementPermissions as may } from '../../contract/permissions.ts';
import { Accounts } from './Accounts.tsx';

const Book = () => <Slot of={ledgerPanelPlace} props={{ book: 'DOCTOR' }} fallback={<div className="kq-loading" />} />;

const parts: readonly PagePart[] = [
  { key: 'accounts', label: '医生账户', permission: may['account.view'], content: Accounts },
  { key: 'ledger', label: '平台账户', permission: { code: 'ledger.account.view' }, content: Book },
];

/** /accountInquiry 账户查询. */
export default function AccountInquiry() {
  return <PageParts parts={parts} />;
}
