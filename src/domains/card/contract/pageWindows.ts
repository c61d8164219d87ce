import type { PageWindow } from '#kernel/contract/pageWindow.ts';
import { cardPermissions as may } from './permissions.ts';

/** What pages of definitions open over a settlement bill; its number names the record. */
export const billWindows = {
  lines: { name: 'card.billLines', label: '结算明细与差异', permission: may['card.view'] },
  confirm: { name: 'card.billConfirm', label: '确认结算单', permission: may['settle.confirm'] },
  statement: { name: 'card.billStatement', label: '导入对账文件', permission: may['settle.confirm'] },
} as const satisfies Readonly<Record<string, PageWindow>>;
