import { useMemo, useState } from 'react';
import { Select } from 'antd';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { PartOfPage } from '#kernel/web/tabs/page.tsx';
import { queryFormularyLineList } from '../../contract/formulary/lineCalls.ts';
import { formularyModes } from '../../contract/model/dictionaries.ts';
import type { ClaimRulesSeen } from './seen.ts';

const lines = resource(queryFormularyLineList, {
  routeKey: 'lookClaimRules:drugs',
  empty: '没有符合条件的药品，请调整筛选条件',
  filters: ['keyword', 'indication', 'socialCategory', 'capped'],
  columns: [
    { key: 'genericName', required: true },
    'brandName',
    'spec',
    'indicationText',
    { key: 'icd10Prefixes', width: 110 },
    { key: 'geneRequirement', width: 150 },
    { key: 'socialCategory', plain: true, width: 90 },
    'maxUnitPriceFen',
    { key: 'maxQtyPerClaimMilli', width: 110 },
    { key: 'minIntervalDays', width: 110 },
    { key: 'directPay', width: 80 },
  ],
});

/** Medicines that a version pays for. */
export function ListedDrugs({ seen }: { seen: ClaimRulesSeen }) {
  const [chosen, setChosen] = useState(seen.formularies[0]?.formularyVersionId);
  const fixed = useMemo(() => ({ formularyVersionId: chosen ?? '0' }), [chosen]);
  if (!chosen) return <p className="kq-empty">该版本的责任还没有选择药品目录</p>;
  return (
    <PartOfPage>
      <Select
        aria-label="药品目录"
        style={{ width: 360, marginBottom: 12 }}
        value={chosen}
        options={seen.formularies.map((one) => ({
          value: one.formularyVersionId,
          label: `${one.name} V${one.versionNo}（${formularyModes.label(one.mode)}，${one.lineCount}行）`,
        }))}
        onChange={setChosen}
      />
      <ResourceList of={lines} fixed={fixed} />
    </PartOfPage>
  );
}
