import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { send } from '#kernel/web/http/client.ts';
import { Masked } from '#kernel/web/kit/Masked.tsx';
import { queryContractDetail, revealContract, type ContractDetailFacts } from '../../contract/calls/contracts.ts';
import type { contractNumbers } from '../../contract/contractDictionaries.ts';
import { applyPermissions } from '../../contract/permissions.ts';

/** Tab 合同信息. */
export function ContractFacts({ contract }: { contract: ContractDetailFacts }) {
  const shape = queryContractDetail.output.shape.contract;
  const masked = (field: (typeof contractNumbers)[number], value: string | null) => (
    <Masked
      value={value}
      permission={applyPermissions['apply.reveal']}
      reveal={async () => (await send(revealContract, { id: contract.id, field })).value ?? ''}
    />
  );
  return (
    <>
      <Facts
        title="被保人"
        facts={factsIn(shape, contract, [
          'insuredName',
          { label: '证件号码', value: masked('idNo', contract.idNo) },
          { label: '手机号', value: masked('mobile', contract.mobile) },
          'birthDate',
        ])}
      />
      <Facts
        title="产品与保障"
        facts={factsIn(shape, contract, [
          'productLine',
          'productName',
          'productCode',
          'planCode',
          'insurerName',
          'policyNo',
          'coverageStart',
          'coverageEnd',
          'drugNames',
          ...(contract.coverLostOn === null ? [] : (['coverLostOn'] as const)),
          ...(contract.renewedPolicyNo === null ? [] : (['renewedPolicyNo'] as const)),
        ])}
      />
      <Facts
        title="合同"
        facts={factsIn(shape, contract, [
          'origin',
          'startDate',
          'endDate',
          'termMonths',
          'coolingOffDays',
          'reviewCycleDays',
          'nextReviewOn',
          'amendSeq',
          'createdAt',
          ...(contract.signDueAt === null ? [] : (['signDueAt'] as const)),
        ])}
      />
      <Facts
        title="费用与收款"
        facts={factsIn(shape, contract, [
          'payMode',
          'feeFen',
          'paidFen',
          'refundedFen',
          'payeeName',
          'payeeBank',
          { label: '收款账号', value: masked('payeeAccount', contract.payeeAccount) },
        ])}
      />
    </>
  );
}
