import { Section } from '#kernel/web/detail/DetailLayout.tsx';
import { Dict, NOTHING } from '#kernel/web/kit/values.tsx';
import { claimTypes } from '../../contract/businessLines.ts';
import {
  occurrenceKeys,
  preExistingModes,
  rateGenders,
  rightKinds,
  socialModes,
  socialStatuses,
  waitingEffects,
} from '../../contract/model/dictionaries.ts';
import { capWords, groupWords, money, tierWords } from '../../contract/model/words.ts';
import type { ClaimRulesSeen } from './seen.ts';

const lines = (texts: readonly string[]) =>
  texts.length === 0 ? NOTHING : texts.map((text, index) => <div key={`${text}:${index}`}>{text}</div>);

/** Parameters of benefits, purses, plans and rights as tables. */
export function ParameterTables({ seen }: { seen: ClaimRulesSeen }) {
  const groupName = (code: string) => seen.groups.find(({ groupCode }) => groupCode === code)?.groupName ?? code;
  const benefitName = (code: string) => seen.benefits.find(({ benefitCode }) => benefitCode === code)?.benefitName ?? code;
  return (
    <>
      <Section title="保障责任">
        <table className="kq-facts-table ins-params">
          <thead>
            <tr>
              {['责任', '理赔类型', '等待期', '既往症', '医保', '免赔与共享', '赔付比例', '限额'].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {seen.benefits.map((one) => (
              <tr key={one.benefitCode}>
                <td>
                  {one.benefitName}
                  <div className="kq-muted">{one.benefitCode}</div>
                </td>
                <td>{one.claimTypes.map((code) => claimTypes.label(code)).join('、')}</td>
                <td>{one.waitingDays === 0 ? '无' : lines([`${one.waitingDays}天`, waitingEffects.label(one.waitingEffect)])}</td>
                <td>{preExistingModes.label(one.preExistingMode)}</td>
                <td>{socialModes.label(one.socialMode)}</td>
                <td>{lines([...(one.deductibleGroup ? [groupName(one.deductibleGroup)] : []), ...one.ceilingGroups.map(groupName)])}</td>
                <td>{lines(one.tiers.map(tierWords))}</td>
                <td>{lines(capWords(one))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Section>
      {seen.groups.length > 0 && (
        <Section title="共享组">
          <table className="kq-facts-table ins-params">
            <tbody>
              {seen.groups.map((one) => (
                <tr key={one.groupCode}>
                  <th scope="row">
                    {one.groupName}（{one.groupCode}）
                  </th>
                  <td>{groupWords(one)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Section>
      )}
      <Section title="计划与费率">
        <table className="kq-facts-table ins-params">
          <thead>
            <tr>
              {['计划', '保额', '承保年龄', '医保要求', '年保费', '另设'].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {seen.plans.map((one) => (
              <tr key={one.planCode}>
                <td>
                  {one.planName}（{one.planCode}）
                </td>
                <td>{money(one.sumInsuredFen)}</td>
                <td>
                  {one.ageMin}至{one.ageMax}岁
                </td>
                <td>{socialStatuses.label(one.socialRequired)}</td>
                <td>
                  {lines(
                    one.rates.map(
                      (rate) =>
                        [
                          `${rate.ageFrom}至${rate.ageTo}岁`,
                          ...(rate.gender === 'ANY' ? [] : [rateGenders.label(rate.gender)]),
                          ...(rate.social === 'ANY' ? [] : [socialStatuses.label(rate.social)]),
                        ].join('、') + `：${money(rate.annualPremiumFen)}`,
                    ),
                  )}
                </td>
                <td>
                  {lines([
                    ...Object.entries(one.overrides.groups).map(([code, fen]) => `${groupName(code)}${money(fen)}`),
                    ...Object.entries(one.overrides.benefits).map(
                      ([code, { tiers, ...caps }]) =>
                        `${benefitName(code)}：${[...(tiers ?? []).map(tierWords), ...capWords(caps)].join('；')}`,
                    ),
                  ])}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Section>
      {seen.rights.length > 0 && (
        <Section title="权益项">
          <table className="kq-facts-table ins-params">
            <tbody>
              {seen.rights.map((one) => (
                <tr key={one.rightCode}>
                  <th scope="row">
                    {one.rightName}（{one.rightCode}）
                  </th>
                  <td>
                    <Dict of={rightKinds} code={one.kind} plain />，{occurrenceKeys.label(one.occurrenceKey)}
                    {one.amountFen === null ? '' : `，${money(one.amountFen)}`}
                    {one.timesPerYear === null ? '' : `，每年${one.timesPerYear}次`}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Section>
      )}
    </>
  );
}
