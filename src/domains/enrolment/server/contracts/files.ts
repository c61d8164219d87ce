import { definePurpose, registerOwner } from '#domains/files/server/index.ts';
import { CONTRACT_AMEND, CONTRACT_PAY_PROOF, CONTRACT_SIGN } from '../../contract/contractPurposes.ts';
import { contractPermissions, payPermissions } from '../../contract/permissions.ts';
import { amendmentRecords, contractRecords, payRecords, refundRecords } from './access.ts';

const MB = 1024 * 1024;

/** Says who may upload the files of contracts and who may read them. */
export function declareContractFiles(): void {
  definePurpose({
    code: CONTRACT_SIGN,
    label: '签署合同',
    types: ['pdf'],
    maxSize: 20 * MB,
    count: 1,
    sensitive: true,
    uploadPermissions: [contractPermissions['contract.edit'].code],
  });
  definePurpose({
    code: CONTRACT_AMEND,
    label: '合同变更依据',
    types: ['jpg', 'png', 'pdf'],
    maxSize: 20 * MB,
    count: 5,
    sensitive: true,
    uploadPermissions: [contractPermissions['contract.amend'].code],
  });
  definePurpose({
    code: CONTRACT_PAY_PROOF,
    label: '收付款凭证',
    types: ['jpg', 'png', 'pdf'],
    maxSize: 10 * MB,
    count: 1,
    sensitive: false,
    uploadPermissions: [payPermissions['pay.refund'].code, payPermissions['pay.refundAudit'].code],
  });
  const contractView = contractPermissions['contract.view'].code;
  const payView = payPermissions['pay.view'].code;
  for (const [records, view] of [
    [contractRecords, contractView],
    [amendmentRecords, contractView],
    [payRecords, payView],
    [refundRecords, payView],
  ] as const) {
    const canRead = async ({ db, staff }: Parameters<Parameters<typeof registerOwner>[1]['canRead']>[0], id: string) =>
      staff.permissions.has(view) && (await records.find(db, staff, id)) !== undefined;
    registerOwner(records.type, { canRead, canReadOriginal: canRead });
  }
}
