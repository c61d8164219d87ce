import { Button, Select } from 'antd';
import { useData } from '#kernel/web/http/queries.ts';
import { documentPhases } from '../../contract/documents/states.ts';
import { queryFormularyDetail } from '../../contract/formulary/calls.ts';
import { benefit, benefitTier, type Benefit, type BenefitTier } from '../../contract/model/document.ts';
import { benefitSentence } from '../../contract/model/words.ts';
import { lineForms } from '../../contract/products/lineForms.ts';
import { DrugsSelect } from '../shared/DrugSelect.tsx';
import { OptionSelect } from '../shared/OptionSelect.tsx';
import { RowsInput } from '../shared/RowsInput.tsx';
import { FieldFrame, ValueField } from '../shared/ValueField.tsx';
import { blankTier, nextTier, plansAfter, renamed, tierColumnsOf, withItem, type PartProps } from './parts.ts';

const blankBenefit = (no: number, { claimTypes }: PartProps['document']): Benefit => ({
  benefitCode: `B${no}`,
  benefitName: '',
  claimTypes: claimTypes.map(({ claimType }) => claimType),
  priority: no,
  formularyId: null,
  formularyMode: 'PINNED',
  formularyVersionId: null,
  drugScope: [],
  diseasePrefixes: [],
  waitingDays: 0,
  waitingEffect: 'PERIOD',
  preExistingMode: 'EXCLUDE',
  socialMode: 'DEDUCT',
  deductibleGroup: null,
  ceilingGroups: [],
  perLineFen: null,
  perItemYearFen: null,
  perClaimFen: null,
  perYearFen: null,
  lifetimeFen: null,
  timesPerYear: null,
  tiers: [blankTier()],
});

const codesOf = (benefits: readonly Benefit[]) => benefits.map(({ benefitCode }) => benefitCode);

const versionText = (one: { versionNo: number; phase: (typeof documentPhases.codes)[number]; effectiveFrom: string }) =>
  `V${one.versionNo} ${documentPhases.label(one.phase)} ${one.effectiveFrom}起`;

function FormularyFields({
  one,
  at,
  put,
  faultOf,
}: {
  one: Benefit;
  at: string;
  put(patch: Partial<Benefit>): void;
  faultOf: PartProps['faultOf'];
}) {
  const { data } = useData(
    queryFormularyDetail,
    { formularyId: one.formularyId ?? '0' },
    { enabled: one.formularyId !== null, quiet: true, fresh: 30_000 },
  );
  return (
    <>
      <FieldFrame label="药品目录" path={`${at}.formularyId`} fault={faultOf(`${at}.formularyId`)}>
        <OptionSelect
          aria-label="药品目录"
          type="FORMULARY"
          value={one.formularyId}
          onChange={(formularyId) => put({ formularyId, formularyVersionId: null })}
        />
      </FieldFrame>
      <ValueField of={benefit} value={one} at={at} faultOf={faultOf} onChange={put} name="formularyMode" />
      {one.formularyMode === 'PINNED' && (
        <FieldFrame label="目录版本" path={`${at}.formularyVersionId`} fault={faultOf(`${at}.formularyVersionId`)}>
          <Select
            aria-label="目录版本"
            placeholder={one.formularyId === null ? '请先选择药品目录' : '请选择'}
            disabled={one.formularyId === null}
            value={one.formularyVersionId}
            options={(data?.versions ?? [])
              .filter(({ state }) => state !== 'WITHDRAWN')
              .map((version) => ({ value: version.id, label: versionText(version) }))}
            onChange={(formularyVersionId) => put({ formularyVersionId })}
          />
        </FieldFrame>
      )}
      <FieldFrame label="药品范围" path={`${at}.drugScope`} fault={faultOf(`${at}.drugScope`)}>
        <DrugsSelect
          aria-label="药品范围"
          placeholder="目录内全部药品"
          value={one.drugScope}
          onChange={(next) => put({ drugScope: [...(next ?? [])] })}
        />
      </FieldFrame>
    </>
  );
}

export function BenefitsPart({ document, change, faultOf, line }: PartProps) {
  const form = lineForms[line];
  const put = (index: number, patch: Partial<Benefit>) => {
    const benefits = withItem(document.benefits, index, patch);
    const moved = renamed(codesOf(document.benefits), codesOf(benefits));
    change({ benefits, ...(moved && { plans: plansAfter(document.plans, 'benefits', moved.from, moved.to) }) });
  };
  const remove = ({ benefitCode }: Benefit, index: number) =>
    change({
      benefits: document.benefits.filter((_one, place) => place !== index),
      plans: plansAfter(document.plans, 'benefits', benefitCode, null),
    });
  const groups = (kind: 'DEDUCTIBLE' | 'CEILING') =>
    document.limitGroups
      .filter((one) => one.kind === kind)
      .map(({ groupCode, groupName }) => ({ value: groupCode, label: groupName || groupCode }));
  return (
    <div data-path="benefits">
      {document.benefits.map((one, index) => {
        const at = `benefits.${index}`;
        const patch = (next: Partial<Benefit>) => put(index, next);
        const shared = { of: benefit, value: one, at, faultOf, onChange: patch };
        return (
          <div className="ins-card" key={index}>
            <div className="ins-card-head">
              <h4>{one.benefitName || `责任${index + 1}`}</h4>
              <Button type="link" danger onClick={() => remove(one, index)}>
                移除责任
              </Button>
            </div>
            <div className="ins-fields">
              <ValueField {...shared} name="benefitCode" />
              <ValueField {...shared} name="benefitName" />
              <ValueField {...shared} name="claimTypes" only={form.claimTypes} />
              <ValueField {...shared} name="priority" />
              <FormularyFields one={one} at={at} put={patch} faultOf={faultOf} />
              <ValueField {...shared} name="diseasePrefixes" placeholder="不限，如 C34" />
              <ValueField {...shared} name="waitingDays" />
              <ValueField {...shared} name="waitingEffect" />
              <ValueField {...shared} name="preExistingMode" />
              <ValueField {...shared} name="socialMode" only={form.socialModes} />
              {form.deductibles && (
                <FieldFrame label="免赔组" path={`${at}.deductibleGroup`} fault={faultOf(`${at}.deductibleGroup`)}>
                  <Select
                    aria-label="免赔组"
                    allowClear
                    placeholder="无"
                    value={one.deductibleGroup}
                    options={groups('DEDUCTIBLE')}
                    onChange={(next?: string) => patch({ deductibleGroup: next ?? null })}
                  />
                </FieldFrame>
              )}
              <FieldFrame label="限额组" path={`${at}.ceilingGroups`} fault={faultOf(`${at}.ceilingGroups`)}>
                <Select<string[]>
                  aria-label="限额组"
                  mode="multiple"
                  placeholder="无"
                  value={one.ceilingGroups}
                  options={groups('CEILING')}
                  onChange={(ceilingGroups) => patch({ ceilingGroups })}
                />
              </FieldFrame>
              <ValueField {...shared} name="perLineFen" />
              <ValueField {...shared} name="perItemYearFen" />
              <ValueField {...shared} name="perClaimFen" />
              <ValueField {...shared} name="perYearFen" />
              <ValueField {...shared} name="lifetimeFen" />
              <ValueField {...shared} name="timesPerYear" placeholder="不限" />
            </div>
            <p className="ins-sub">赔付比例</p>
            <div data-path={`${at}.tiers`}>
              <RowsInput<BenefitTier>
                of={benefitTier}
                columns={tierColumnsOf(line)}
                rows={one.tiers}
                onChange={(tiers) => patch({ tiers })}
                blank={() => nextTier(one.tiers)}
                label={`${one.benefitName || '责任'}赔付比例`}
                addLabel="添加比例"
                most={60}
                faultAt={(row, key) => faultOf(`${at}.tiers.${row}.${key}`)}
              />
            </div>
            <p className="ins-sentence">{benefitSentence(one, document)}</p>
          </div>
        );
      })}
      <Button
        disabled={document.benefits.length >= 30}
        onClick={() => change({ benefits: [...document.benefits, blankBenefit(document.benefits.length + 1, document)] })}
      >
        添加责任
      </Button>
    </div>
  );
}
