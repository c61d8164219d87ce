import { definePurpose, registerOwner, type OwnerRules } from '#domains/files/server/index.ts';
import { cardPermissions as may } from '../contract/permissions.ts';
import { CARD_CONFIRM, CARD_EVIDENCE, CARD_VOUCHER } from '../contract/purposes.ts';

const MB = 1024 * 1024;
const viewers: OwnerRules = {
  canRead: async ({ staff }) => staff.permissions.has(may['card.view'].code),
  canReadOriginal: async ({ staff }) => staff.permissions.has(may['card.view'].code),
};

/** Says who may upload the files of this domain and who may read them. */
export function declareFiles(): void {
  const facts = { types: ['jpg', 'png', 'pdf'] as const, maxSize: 10 * MB, count: 3, sensitive: false };
  definePurpose({
    ...facts,
    types: [...facts.types],
    code: CARD_VOUCHER,
    label: '预付到账凭证',
    uploadPermissions: [may['fund.edit'].code],
  });
  definePurpose({
    ...facts,
    types: [...facts.types],
    code: CARD_CONFIRM,
    label: '结算确认函',
    uploadPermissions: [may['settle.confirm'].code],
  });
  definePurpose({
    ...facts,
    types: [...facts.types],
    count: 5,
    code: CARD_EVIDENCE,
    label: '卡变更依据',
    uploadPermissions: [may['change.edit'].code],
  });
  registerOwner('card.change', viewers);
  registerOwner('card.fundPrepay', viewers);
  registerOwner('card.settlementBill', viewers);
}
