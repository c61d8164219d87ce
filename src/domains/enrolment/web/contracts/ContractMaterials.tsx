import { useMemo } from 'react';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { PartOfPage } from '#kernel/web/tabs/page.tsx';
import type { ContractDetailFacts } from '../../contract/calls/contracts.ts';
import { queryOtherMaterialList, type OtherMaterialRow } from '../../contract/calls/otherMaterials.ts';
import { detailPathOf } from '../applies/routes.ts';

const showMaterial = ({ id }: OtherMaterialRow) => goTo('/otherMaterialVerifyInfo', { materialId: id });

const materials = resource(queryOtherMaterialList, {
  routeKey: 'signContractListDetail:materials',
  empty: '该合同没有其他材料',
  filters: ['materialNo', 'kind', 'state'],
  columns: [
    { key: 'materialNo', required: true, to: (row) => () => showMaterial(row) },
    { key: 'kind', vital: true, plain: true },
    'impact',
    'submittedAt',
    { key: 'enteredName', hidden: true },
    'state',
  ],
});

/** What was handed in for a contract: with its application, and since. */
export function ContractMaterials({ contract }: { contract: ContractDetailFacts }) {
  const fixed = useMemo(() => ({ queue: 'ALL' as const, contractNo: contract.contractNo }), [contract.contractNo]);
  return (
    <>
      {contract.applyId !== null && (
        <p>
          入组材料见
          <PageLink to={detailPathOf(contract.productLine)} search={{ applyId: contract.applyId }}>
            入组申请
          </PageLink>
        </p>
      )}
      <PartOfPage>
        <ResourceList of={materials} fixed={fixed} onRowClick={showMaterial} actions={[{ label: '查看', act: showMaterial }]} />
      </PartOfPage>
    </>
  );
}
