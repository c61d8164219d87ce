import { Button } from 'antd';
import { limitGroup, plan, planRate, right, type LimitGroup, type Plan, type PlanRate, type Right } from '../../contract/model/document.ts';
import { groupWords, money } from '../../contract/model/words.ts';
import { lineForms } from '../../contract/products/lineForms.ts';
import { DrugsSelect } from '../shared/DrugSelect.tsx';
import { OptionSelect } from '../shared/OptionSelect.tsx';
import { RowsInput } from '../shared/RowsInput.tsx';
import { FieldFrame, ValueField } from '../shared/ValueField.tsx';
import { MoneyInput } from '#kernel/web/kit/MoneyInput.tsx';
import { plansAfter, renamed, withItem, type PartProps } from './parts.ts';
import { GoneOverrides, PlanCaps } from './PlanCaps.tsx';

const blankPlan = (no: number): Plan => ({
  planCode: `P${no}`,
  planName: '',
  sumInsuredFen: 100_000_000,
  ageMin: 0,
  ageMax: 60,
  socialRequired: 'ANY',
  overrides: { groups: {}, benefits: {} },
  rates: [],
});

export function PlansPart({ document, change, faultOf, line }: PartProps) {
  const put = (index: number, patch: Partial<Plan>) => change({ plans: withItem(document.plans, index, patch) });
  return (
    <div data-path="plans">
      {document.plans.map((one, index) => {
        const shared = { of: plan, value: one, at: `plans.${index}`, faultOf, onChange: (patch: Partial<Plan>) => put(index, patch) };
        const last = one.rates.at(-1);
        return (
          <div className="ins-card" key={index}>
            <div className="ins-card-head">
              <h4>{one.planName || `计划${index + 1}`}</h4>
              <Button type="link" danger onClick={() => change({ plans: document.plans.filter((_one, at) => at !== index) })}>
                移除计划
              </Button>
            </div>
            <div className="ins-fields">
              <ValueField {...shared} name="planCode" />
              <ValueField {...shared} name="planName" />
              <ValueField {...shared} name="sumInsuredFen" placeholder="保额" />
              <ValueField {...shared} name="ageMin" />
              <ValueField {...shared} name="ageMax" />
              <ValueField {...shared} name="socialRequired" />
            </div>
            <p className="ins-sub">
              费率（须覆盖{one.ageMin}至{one.ageMax}岁的每个年龄、性别和医保状态各一次）
            </p>
            <div data-path={`plans.${index}.rates`}>
              <RowsInput
                of={planRate}
                columns={['gender', 'social', 'ageFrom', 'ageTo', 'annualPremiumFen']}
                rows={one.rates}
                onChange={(rates) => put(index, { rates })}
                blank={(): PlanRate => ({
                  gender: last?.gender ?? 'ANY',
                  social: last?.social ?? 'ANY',
                  ageFrom: last ? Math.min(120, last.ageTo + 1) : one.ageMin,
                  ageTo: one.ageMax,
                  annualPremiumFen: last?.annualPremiumFen ?? 0,
                })}
                label={`${one.planName || '计划'}费率`}
                addLabel="添加费率"
                most={500}
                faultAt={(row, key) => faultOf(`plans.${index}.rates.${row}.${key}`)}
              />
            </div>
            {document.limitGroups.length > 0 && (
              <>
                <p className="ins-sub">本计划另设的共享组金额（不填则按共享组）</p>
                <div className="ins-fields" data-path={`plans.${index}.overrides`}>
                  {document.limitGroups.map(({ groupCode, groupName, amountFen }) => (
                    <FieldFrame key={groupCode} label={groupName || groupCode}>
                      <MoneyInput
                        aria-label={`${groupName || groupCode}另设金额`}
                        placeholder={money(amountFen)}
                        value={one.overrides.groups[groupCode] ?? null}
                        onChange={(fen) => {
                          const { [groupCode]: _, ...groups } = one.overrides.groups;
                          put(index, { overrides: { ...one.overrides, groups: fen === null ? groups : { ...groups, [groupCode]: fen } } });
                        }}
                      />
                    </FieldFrame>
                  ))}
                </div>
              </>
            )}
            <PlanCaps
              one={one}
              index={index}
              document={document}
              faultOf={faultOf}
              line={line}
              onChange={(overrides) => put(index, { overrides })}
            />
            <GoneOverrides one={one} document={document} onChange={(overrides) => put(index, { overrides })} />
          </div>
        );
      })}
      <Button
        onClick={() => change({ plans: [...document.plans, blankPlan(document.plans.length + 1)] })}
        disabled={document.plans.length >= 20}
      >
        添加计划
      </Button>
    </div>
  );
}

export function GroupsPart({ document, change, faultOf, line }: PartProps) {
  const kinds = lineForms[line].deductibles ? undefined : [{ value: 'CEILING', label: '限额组' }];
  // Benefits and plans name a purse by its code: they follow it.
  const put = (limitGroups: LimitGroup[]) => {
    const codes = (groups: readonly LimitGroup[]) => groups.map(({ groupCode }) => groupCode);
    const moved = renamed(codes(document.limitGroups), codes(limitGroups));
    if (!moved) return change({ limitGroups });
    const named = (code: string) => (code === moved.from ? moved.to : code);
    change({
      limitGroups,
      plans: plansAfter(document.plans, 'groups', moved.from, moved.to),
      benefits: document.benefits.map((one) => ({
        ...one,
        deductibleGroup: one.deductibleGroup === null ? null : named(one.deductibleGroup),
        ceilingGroups: one.ceilingGroups.map(named),
      })),
    });
  };
  return (
    <div data-path="limitGroups">
      <p className="kq-muted">同一共享组被几个责任引用，就由这几个责任共用一份额度。</p>
      <RowsInput
        of={limitGroup}
        columns={['groupCode', 'groupName', 'kind', 'period', 'subject', 'amountFen', 'otherPayOffsets']}
        {...(kinds && { choices: { kind: kinds } })}
        rows={document.limitGroups}
        onChange={put}
        blank={(): LimitGroup => ({
          groupCode: `G${document.limitGroups.length + 1}`,
          groupName: '',
          kind: kinds ? 'CEILING' : 'DEDUCTIBLE',
          period: 'YEAR',
          subject: 'PERSON',
          amountFen: 0,
          otherPayOffsets: false,
        })}
        label="共享组"
        addLabel="添加共享组"
        most={30}
        faultAt={(index, key) => faultOf(`limitGroups.${index}.${key}`)}
      />
      {document.limitGroups.length > 0 && (
        <p className="ins-sentence">
          {document.limitGroups.map((one) => `${one.groupName || one.groupCode}：${groupWords(one)}`).join('；')}。
        </p>
      )}
    </div>
  );
}

export function RightsPart({ document, change, faultOf }: PartProps) {
  const put = (index: number, patch: Partial<Right>) => change({ rights: withItem(document.rights, index, patch) });
  return (
    <div data-path="rights">
      {document.rights.map((one, index) => {
        const shared = { of: right, value: one, at: `rights.${index}`, faultOf, onChange: (patch: Partial<Right>) => put(index, patch) };
        return (
          <div className="ins-card" key={index}>
            <div className="ins-card-head">
              <h4>{one.rightName || `权益${index + 1}`}</h4>
              <Button type="link" danger onClick={() => change({ rights: document.rights.filter((_one, at) => at !== index) })}>
                移除权益
              </Button>
            </div>
            <div className="ins-fields">
              <ValueField {...shared} name="rightCode" />
              <ValueField {...shared} name="rightName" />
              <ValueField {...shared} name="kind" />
              <ValueField {...shared} name="occurrenceKey" />
              <ValueField {...shared} name="amountFen" />
              <ValueField {...shared} name="timesPerYear" placeholder="不限" />
              <ValueField {...shared} name="requiredMaterials" placeholder="无" />
              <FieldFrame label="权益定义" path={`rights.${index}.entitlementDefId`} fault={faultOf(`rights.${index}.entitlementDefId`)}>
                <OptionSelect
                  aria-label="权益定义"
                  type="ENTITLEMENT"
                  placeholder="无"
                  value={one.entitlementDefId}
                  onChange={(entitlementDefId) => put(index, { entitlementDefId })}
                />
              </FieldFrame>
              <FieldFrame label="药品" path={`rights.${index}.drugIds`} fault={faultOf(`rights.${index}.drugIds`)}>
                <DrugsSelect aria-label="药品" value={one.drugIds} onChange={(next) => put(index, { drugIds: [...(next ?? [])] })} />
              </FieldFrame>
            </div>
          </div>
        );
      })}
      <Button
        disabled={document.rights.length >= 30}
        onClick={() =>
          change({
            rights: [
              ...document.rights,
              {
                rightCode: `R${document.rights.length + 1}`,
                rightName: '',
                kind: 'PREAUTH',
                entitlementDefId: null,
                amountFen: null,
                timesPerYear: null,
                requiredMaterials: [],
                occurrenceKey: 'PER_VISIT',
                drugIds: [],
              },
            ],
          })
        }
      >
        添加权益
      </Button>
    </div>
  );
}
